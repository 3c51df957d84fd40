import { authorize, managerOf } from '#shared/auth/standing.ts';
import type { PersonCaller, ProjectCaller } from '#shared/auth/caller.ts';
import { invitations } from '#shared/contract/invitations.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { newUid } from '#shared/ids.ts';
import { StaleRead } from '#shared/request.ts';
import { addInvitation, getInvitation, getMember, newMember } from '#shared/table/members.ts';
import { getUidByEmail, getUser, newUser } from '#shared/table/users.ts';
import { viewMember } from '#shared/views.ts';

export const handler = endpoint(invitations.create, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const [{ workspace, actor }, uid] = await Promise.all([
    authorize(caller, 'invitation:create', workspace_id),
    getUidByEmail(caller.project_id, body.email),
  ]);
  const known = uid === undefined ? undefined : await readInvitee(caller, workspace_id, uid);
  const { member, invitation } = known ?? {};
  if (member) throw new Failure('already_member', { members: { member_id: member.member_id } });
  if (invitation)
    throw new Failure('invitation_exists', { members: { member_id: invitation.member_id } });
  const { email, role } = body;
  const user = known?.user ?? (await newUser(caller.project_id, newUid(now), now, { email }));
  const invited = newMember('pending', workspace, user, role, actor, now);
  await addInvitation(workspace, invited, user, !known, managerOf(caller));
  return viewMember(invited);
});

async function readInvitee(
  caller: ProjectCaller | PersonCaller,
  workspace_id: string,
  uid: string,
) {
  const [user, member, invitation] = await Promise.all([
    getUser(caller.project_id, uid),
    getMember(workspace_id, uid),
    getInvitation(workspace_id, uid),
  ]);
  // The guard names a user whose e-mail moved between the two reads.
  if (!user) throw new StaleRead();
  return { user, member, invitation };
}

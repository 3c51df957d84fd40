import { members } from '#shared/contract/members.ts';
import { countingOf } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { getUser } from '#shared/identity/users.ts';
import { Failure, notFound } from '#shared/model/errors.ts';
import { acquaintance } from '#shared/workspaces/acquaintance.ts';
import { authorize, managerOf } from '#shared/workspaces/authorize.ts';
import { getInvitation } from '#shared/workspaces/invitations.ts';
import { inviteInstead } from '#shared/workspaces/invite-one.ts';
import { endingJoinRequest, getJoinRequest } from '#shared/workspaces/join-requests.ts';
import { addMember, getMember } from '#shared/workspaces/members.ts';
import { viewMember } from '#shared/workspaces/views.ts';

export const handler = endpoint(members.add, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const { user_id, role } = body;
  const [{ workspace, actor }, user, member, invitation, request] = await Promise.all([
    authorize(caller, 'member:add', workspace_id),
    getUser(caller.project_id, user_id),
    getMember(workspace_id, user_id),
    getInvitation(workspace_id, user_id),
    getJoinRequest(workspace_id, user_id),
  ]);
  if (!user) throw notFound();
  if (member && member.role !== role)
    throw new Failure('already_member', {
      detail: `The user is a member as ${member.role}`,
      members: { member_id: member.member_id },
    });
  if (member) return reply(viewMember(member), { status: 200 });
  const writes = endingJoinRequest(request);
  const entry = { workspace, user, invitation, role, inviter: actor, writes };
  const manager = managerOf(caller);
  // The back end's word is enough.
  if (manager === undefined) return addMember(entry, now).as(viewMember);
  const known = await acquaintance(workspace, user, request, manager, now);
  if (known) {
    const rate = countingOf('additionsByOne', manager, 1, now);
    return addMember({ ...entry, ...known, manager, rate }, now).as(viewMember);
  }
  const invite = await inviteInstead(entry, manager, now);
  return invite.as(({ invitation: invited, isNew }) =>
    reply(viewMember(invited), { status: isNew ? 201 : 200 }),
  );
});

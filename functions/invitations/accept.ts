import { readInvitationToken, sourceOfToken } from '#shared/auth/invitation-token.ts';
import { invitations } from '#shared/contract/invitations.ts';
import { normalizeEmail } from '#shared/email.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { isOpen } from '#shared/invitation-state.ts';
import { getInvitation } from '#shared/table/invitations.ts';
import { endingJoinRequest, getJoinRequest } from '#shared/table/join-requests.ts';
import { addMember, getMember } from '#shared/table/members.ts';
import { verifyEmail } from '#shared/table/user-changes.ts';
import { getUser } from '#shared/table/users.ts';
import { getWorkspace, ownerOf } from '#shared/table/workspaces.ts';
import { viewMember } from '#shared/views.ts';

export const handler = endpoint(invitations.accept, async ({ body, caller, now }) => {
  const token = readInvitationToken(body.token);
  // The token names the invitee: in another person's hands it opens nothing.
  if (!token || (caller.kind === 'person' && caller.uid !== token.uid))
    throw new Failure('mail_token_invalid');
  const { workspace_id, uid, secret } = token;
  const [workspace, user, member, invitation, request] = await Promise.all([
    getWorkspace(caller.project_id, workspace_id),
    getUser(caller.project_id, uid),
    getMember(workspace_id, uid),
    getInvitation(workspace_id, uid),
    getJoinRequest(workspace_id, uid),
  ]);
  if (!workspace || !user) throw new Failure('mail_token_invalid');
  if (member?.joined_by !== undefined && sourceOfToken(secret, member.joined_by)) {
    if (caller.kind === 'person' && member.suspended_at !== undefined)
      throw new Failure('membership_suspended');
    return reply(viewMember(member), { status: 200 });
  }
  const source = invitation && sourceOfToken(secret, invitation.token_sha256);
  if (member || !invitation || !source || !isOpen(invitation, now))
    throw new Failure('mail_token_invalid');
  // It proves the mailbox that it was mailed to, not the one that the user has by now.
  const sentHere = invitation.mailbox === normalizeEmail(user.email);
  const proven = source === 'mail' && sentHere && !user.verified.email;
  // Where nobody is signed in, who set the user up may have been somebody else.
  const proving = proven && caller.kind === 'project' ? await verifyEmail(user, now) : user;
  const verified = proven && caller.kind === 'person';
  const { role, token_sha256 } = invitation;
  const inviter = ownerOf(workspace);
  const how = { role, inviter, token_sha256, verified, via: 'invitation' } as const;
  const entry = {
    workspace,
    user: proving,
    invitation,
    ...how,
    writes: endingJoinRequest(request),
  };
  try {
    return viewMember(await addMember(entry, now));
  } catch (error) {
    // Of a workspace that was deleted meanwhile.
    const gone = error instanceof Failure && error.code === 'not_found';
    throw gone ? new Failure('mail_token_invalid') : error;
  }
});

import { requireLiveSession } from '#shared/access/live-session.ts';
import { invitations } from '#shared/contract/invitations.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { verifyEmailFirstTime } from '#shared/identity/sign-in/credential-reset.ts';
import { normalizeEmail } from '#shared/model/email.ts';
import { ApiError } from '#shared/model/errors.ts';
import { readInvitationToken, tokenKind } from '#shared/workspaces/invitations/invitation-token.ts';
import { isOpen } from '#shared/workspaces/items.ts';
import { joinRequestDeletion } from '#shared/workspaces/joining/join-requests.ts';
import { addMember } from '#shared/workspaces/members/add-member.ts';
import { readCandidate } from '#shared/workspaces/members/candidate.ts';
import { isCallerSingleFactor, requireSecondFactor } from '#shared/workspaces/second-factor.ts';
import { toMember } from '#shared/workspaces/views.ts';
import { getWorkspace, hidesGone, ownerOf } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(invitations.accept, async ({ body, caller, now }) => {
  const token = readInvitationToken(body.token);
  // The token names the invitee, so it is useless to anybody else.
  if (!token || (caller.kind === 'person' && caller.uid !== token.uid))
    throw new ApiError('mail_token_invalid', { reason: 'no token, or that of another person' });
  const { workspace_id, uid, secret } = token;
  const { project_id } = caller;
  const [workspace, { user, member, invitation, request }, singleFactor, session] =
    await Promise.all([
      getWorkspace(project_id, workspace_id),
      readCandidate(project_id, workspace_id, uid),
      isCallerSingleFactor(caller),
      caller.kind === 'person' ? requireLiveSession(caller, now) : undefined,
    ]);
  if (!workspace || !user)
    throw new ApiError('mail_token_invalid', { reason: 'the workspace or the user was deleted' });
  if (member?.joined_by !== undefined && tokenKind(secret, member.joined_by)) {
    if (caller.kind === 'person' && member.suspended_at !== undefined)
      throw new ApiError('membership_suspended');
    requireSecondFactor(workspace, singleFactor);
    return reply(toMember(member), { status: 200 });
  }
  const source = invitation && tokenKind(secret, invitation.token_sha256);
  if (member || !invitation || !source || !isOpen(invitation, now))
    throw new ApiError('mail_token_invalid', { reason: 'no open invitation of this token' });
  // The token verifies the mailbox it was mailed to, which the user may no longer have.
  const sentHere = invitation.mailbox === normalizeEmail(user.email);
  // Somebody who acts as the user is not the reader of the mailbox, and must not remove what the user signs in with.
  const proven = source === 'mail' && sentHere && !user.verified.email && !session?.actor;
  // An attacker may have set up the user before. Only the sessions of the backend and the invitee's own method stay.
  const kept = ['project', ...(session ? [session.method] : [])];
  const proof = proven ? await verifyEmailFirstTime(user, kept, now) : undefined;
  const { role, token_sha256 } = invitation;
  const inviter = ownerOf(workspace);
  const how = { role, inviter, token_sha256, proof, via: 'invitation' } as const;
  const entry = { workspace, user, invitation, ...how, writes: joinRequestDeletion(request) };
  return addMember(entry, now).ifRefused(hidesGone('mail_token_invalid')).as(toMember);
});

import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import { isOpen } from '#shared/workspaces/items.ts';
import {
  type Admission,
  admitByInvitationOrDomain,
  admitByJoinLink,
  findJoinLink,
} from '#shared/workspaces/joining/admission.ts';
import { joinRequestDeletion } from '#shared/workspaces/joining/join-requests.ts';
import { addMember } from '#shared/workspaces/members/add-member.ts';
import { readCandidate } from '#shared/workspaces/members/candidate.ts';
import { isCallerSingleFactor, requireSecondFactor } from '#shared/workspaces/second-factor.ts';
import { toMember } from '#shared/workspaces/views.ts';
import { getWorkspace, hidesGone, ownerOf } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(members.join, async ({ body, caller, now }) => {
  const { workspace_id, user_id, join_token } = body;
  const byPerson = caller.kind === 'person';
  if (byPerson && user_id !== caller.uid)
    throw new ApiError('forbidden', { detail: 'A person may join only as themself' });
  const [workspace, { user, member, invitation, request }, singleFactor, link] = await Promise.all([
    getWorkspace(caller.project_id, workspace_id),
    readCandidate(caller.project_id, workspace_id, user_id),
    isCallerSingleFactor(caller),
    join_token === undefined
      ? undefined
      : findJoinLink(join_token, caller.project_id, workspace_id),
  ]);
  const stands = workspace && user;
  if (!stands && !byPerson) throw notFound('no such workspace or user');
  if (stands && byPerson && member?.suspended_at !== undefined)
    throw new ApiError('membership_suspended');
  if (stands && member) {
    requireSecondFactor(workspace, singleFactor);
    return reply(toMember(member), { status: 200 });
  }
  const invited = invitation && isOpen(invitation, now) ? invitation : undefined;
  const admit = (): Admission => {
    if (join_token !== undefined) return admitByJoinLink(link, workspace, user, invited, now);
    if (byPerson) return admitByInvitationOrDomain(workspace, user, invited);
    // A backend needs no invitation.
    return { role: invited?.role ?? 'member', via: invited && 'invitation' };
  };
  const { writes, ...admission } = admit();
  if (!stands) throw new ApiError('forbidden', { reason: 'no such workspace' });
  const entry = {
    workspace,
    user,
    invitation,
    inviter: ownerOf(workspace),
    ...admission,
    writes: { ...writes, ...joinRequestDeletion(request) },
  };
  const join = addMember(entry, now).as(toMember);
  return byPerson ? join.ifRefused(hidesGone('forbidden')) : join;
});

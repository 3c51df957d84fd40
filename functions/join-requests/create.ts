import { joinRequests } from '#shared/contract/join-requests.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { domainOf } from '#shared/model/email.ts';
import { ApiError } from '#shared/model/errors.ts';
import { modeOf } from '#shared/workspaces/domains/modes.ts';
import { isOpen } from '#shared/workspaces/items.ts';
import { ownsInvitedMailbox } from '#shared/workspaces/joining/admission.ts';
import { addJoinRequest } from '#shared/workspaces/joining/join-requests.ts';
import { toJoinRequest } from '#shared/workspaces/joining/join-views.ts';
import { isLiveItem } from '#shared/workspaces/joining/limited-collection.ts';
import { readCandidate } from '#shared/workspaces/members/candidate.ts';
import { getWorkspace, hidesGone } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(joinRequests.create, async ({ params, body, caller, now }) => {
  const { workspace_id } = params;
  const { project_id, uid } = caller;
  const [workspace, { user, member, invitation, request }] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    readCandidate(project_id, workspace_id, uid),
  ]);
  // A workspace that accepts no request from this user must look like one that does not exist.
  if (!workspace || !user) throw new ApiError('forbidden', { reason: 'no such workspace' });
  if (member?.suspended_at !== undefined) throw new ApiError('membership_suspended');
  if (member) throw new ApiError('already_member', { members: { member_id: member.member_id } });
  if (invitation && isOpen(invitation, now) && ownsInvitedMailbox(invitation, user))
    throw new ApiError('invitation_exists', { members: { member_id: invitation.member_id } });
  if (request && isLiveItem(request, workspace, now))
    return reply(toJoinRequest(request), { status: 200 });
  const domain = domainOf(user.email);
  if (!user.verified.email || modeOf(workspace, domain) === 'off')
    throw new ApiError('forbidden', { reason: 'no verified e-mail of an allowed domain' });
  const { message } = body;
  const add = await addJoinRequest(workspace, user, { domain, message }, now);
  return add.ifRefused(hidesGone('forbidden')).as(toJoinRequest);
});

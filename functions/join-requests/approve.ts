import { joinRequests } from '#shared/contract/join-requests.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { notFound } from '#shared/model/errors.ts';
import { getRolesToGive, requireMayGive } from '#shared/roles/principal.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { notRestoredSince } from '#shared/workspaces/items.ts';
import { joinRequestDeletion } from '#shared/workspaces/joining/join-requests.ts';
import { isLiveItem } from '#shared/workspaces/joining/limited-collection.ts';
import { addMember } from '#shared/workspaces/members/add-member.ts';
import { readCandidate, requireSameRole } from '#shared/workspaces/members/candidate.ts';
import { toMemberFor } from '#shared/workspaces/views.ts';

export const handler = endpoint(joinRequests.approve, async ({ params, body, caller, now }) => {
  const { workspace_id, user_id } = params;
  const { role = 'member' } = body;
  const [{ workspace, inviter, principal, reader }, candidate, roles] = await Promise.all([
    authorize(caller, 'join-request:approve', workspace_id),
    readCandidate(caller.project_id, workspace_id, user_id),
    getRolesToGive(caller.project_id, workspace_id, role),
  ]);
  requireMayGive(principal, role, roles);
  const { user, member, invitation, request } = candidate;
  if (!user) throw notFound('no such user');
  requireSameRole(member, body.role);
  const view = toMemberFor(reader);
  // A second click finds the member that the first one created.
  if (member) return reply(view(member), { status: 200 });
  if (!request || !isLiveItem(request, workspace, now)) throw notFound('no such open request');
  const entry = {
    workspace,
    user,
    invitation,
    role,
    inviter,
    principal,
    condition: notRestoredSince(workspace),
    via: 'join_request',
    writes: joinRequestDeletion(request),
  } as const;
  return addMember(entry, now).as(view);
});

import { joinRequests } from '#shared/contract/join-requests.ts';
import { pageOf } from '#shared/db/page.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { getUser } from '#shared/identity/users/users.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import {
  listJoinRequests,
  positionOfJoinRequest,
} from '#shared/workspaces/joining/join-requests.ts';
import { toListedJoinRequest } from '#shared/workspaces/joining/join-views.ts';
import { getMember } from '#shared/workspaces/members/members.ts';

export const handler = endpoint(joinRequests.list, async ({ params, caller, page, now }) => {
  const { workspace_id } = params;
  // Authorize first: messages may be long, and all requests are read.
  const { workspace } = await authorize(caller, 'join-request:list', workspace_id);
  const open = await listJoinRequests(workspace, now);
  const { items, next } = pageOf(open, page, positionOfJoinRequest);
  const result = await Promise.all(
    items.map(async (request) => {
      const [user, member] = await Promise.all([
        getUser(caller.project_id, request.user_id),
        getMember(workspace_id, request.user_id),
      ]);
      // The user joined in another way at the same moment, so the request has ended.
      return user && !member ? [toListedJoinRequest(request, user)] : [];
    }),
  ).then((views) => views.flat());
  const total = open.length - items.length + result.length;
  return replyPage(result, { total, next });
});

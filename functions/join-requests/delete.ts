import { joinRequests } from '#shared/contract/join-requests.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { authorize, requireKeyPermission } from '#shared/workspaces/authorize.ts';
import { endJoinRequest, getJoinRequest } from '#shared/workspaces/joining/join-requests.ts';
import { toJoinRequest } from '#shared/workspaces/joining/join-views.ts';
import { isLiveItem } from '#shared/workspaces/joining/limited-collection.ts';
import { requireWorkspace } from '#shared/workspaces/workspaces.ts';

export const handler = endpoint(joinRequests.delete, async ({ params, caller, now }) => {
  const { workspace_id, user_id } = params;
  const withdrawn = caller.kind === 'person' && caller.uid === user_id;
  const [request, { workspace, principal }] = await Promise.all([
    getJoinRequest(workspace_id, user_id),
    withdrawn
      ? requireWorkspace(caller.project_id, workspace_id).then((found) => ({
          workspace: found,
          principal: undefined,
        }))
      : authorize(caller, 'join-request:refuse', workspace_id),
  ]);
  if (!request || !isLiveItem(request, workspace, now)) throw notFound('no such open request');
  if (withdrawn) requireKeyPermission(caller, 'join-request:refuse');
  return endJoinRequest(
    request,
    withdrawn ? { withdrawn, key: caller.key } : { withdrawn: false, principal },
  ).as(toJoinRequest);
});

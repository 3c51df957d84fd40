import { authorize, managerOf } from '#shared/auth/standing.ts';
import { joinRequests } from '#shared/contract/join-requests.ts';
import { notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { isLive } from '#shared/table/expiring.ts';
import { endJoinRequest, getJoinRequest } from '#shared/table/join-requests.ts';
import { requireWorkspace } from '#shared/table/workspaces.ts';
import { viewJoinRequest } from '#shared/views-ways-in.ts';

export const handler = endpoint(joinRequests.delete, async ({ params, caller, now }) => {
  const { workspace_id, user_id } = params;
  const withdrawn = caller.kind === 'person' && caller.uid === user_id;
  const [request] = await Promise.all([
    getJoinRequest(workspace_id, user_id),
    withdrawn
      ? requireWorkspace(caller.project_id, workspace_id)
      : authorize(caller, 'join-request:refuse', workspace_id),
  ]);
  if (!request || !isLive(request, now)) throw notFound();
  return endJoinRequest(
    request,
    withdrawn ? { withdrawn } : { withdrawn: false, manager: managerOf(caller) },
  ).as(viewJoinRequest);
});

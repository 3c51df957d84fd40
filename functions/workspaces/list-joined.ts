import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';
import { requireListing } from '#shared/workspaces/authorize.ts';
import { listJoined } from '#shared/workspaces/members/user-workspaces.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(workspaces.listJoined, async ({ caller, page }) => {
  const { project_id, project, uid } = caller;
  requireListing(caller);
  const listed = await listJoined(project_id, uid, {}, page);
  const result = listed.workspaces.map((workspace) => toWorkspace(workspace, project));
  return reply(result, { next: listed.next });
});

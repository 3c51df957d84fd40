import { targetUserId } from '#shared/access/caller.ts';
import { workspaces } from '#shared/contract/workspaces.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { requireUser } from '#shared/identity/users.ts';
import { listJoined } from '#shared/workspaces/user-workspaces.ts';
import { toWorkspace } from '#shared/workspaces/views.ts';

export const handler = endpoint(workspaces.list, async ({ query, caller, page }) => {
  const { role, query: name, user_id } = query;
  const { project_id, project } = caller;
  const uid = targetUserId(caller, user_id);
  const [listed] = await Promise.all([
    listJoined(project_id, uid, { role, name }, page),
    caller.kind === 'project' ? requireUser(project_id, uid) : undefined,
  ]);
  const result = listed.workspaces.map((workspace) => toWorkspace(workspace, project));
  return replyPage(result, { total: listed.total, next: listed.next });
});

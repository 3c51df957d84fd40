import { joinLinks } from '#shared/contract/join-links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { listJoinLinks } from '#shared/workspaces/join-links.ts';
import { toJoinLink } from '#shared/workspaces/join-views.ts';

export const handler = endpoint(joinLinks.list, async ({ params, caller, now }) => {
  const { workspace_id } = params;
  const [links] = await Promise.all([
    listJoinLinks(workspace_id, now),
    authorize(caller, 'join-link:list', workspace_id),
  ]);
  return replyPage(links.map(toJoinLink));
});

import { joinLinks } from '#shared/contract/join-links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { listJoinLinks } from '#shared/workspaces/joining/join-links.ts';
import { toJoinLink } from '#shared/workspaces/joining/join-views.ts';
import { isLiveItem } from '#shared/workspaces/joining/limited-collection.ts';

export const handler = endpoint(joinLinks.list, async ({ params, caller, now }) => {
  const { workspace_id } = params;
  const [stored, { workspace }] = await Promise.all([
    listJoinLinks(workspace_id),
    authorize(caller, 'join-link:list', workspace_id),
  ]);
  const links = stored.filter((link) => isLiveItem(link, workspace, now));
  return replyPage(links.map(toJoinLink));
});

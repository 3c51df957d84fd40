import { authorize } from '#shared/auth/standing.ts';
import { joinLinks } from '#shared/contract/join-links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { listJoinLinks } from '#shared/table/join-links.ts';
import { viewJoinLink } from '#shared/views-ways-in.ts';

export const handler = endpoint(joinLinks.list, async ({ params, caller, now }) => {
  const { workspace_id } = params;
  const [links] = await Promise.all([
    listJoinLinks(workspace_id, now),
    authorize(caller, 'join-link:list', workspace_id),
  ]);
  return { total: links.length, count: links.length, result: links.map(viewJoinLink) };
});

import { authorize, managerOf } from '#shared/auth/standing.ts';
import { joinLinks } from '#shared/contract/join-links.ts';
import { notFound } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { isLive } from '#shared/table/expiring.ts';
import { getJoinLink, revokeJoinLink } from '#shared/table/join-links.ts';
import { viewJoinLink } from '#shared/views-ways-in.ts';

export const handler = endpoint(joinLinks.revoke, async ({ params, caller, now }) => {
  const { workspace_id, link_id } = params;
  const [link] = await Promise.all([
    getJoinLink(workspace_id, link_id),
    authorize(caller, 'join-link:revoke', workspace_id),
  ]);
  if (!link || !isLive(link, now)) throw notFound();
  return revokeJoinLink(link, managerOf(caller)).as(viewJoinLink);
});

import { joinLinks } from '#shared/contract/join-links.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { getJoinLink, revokeJoinLink } from '#shared/workspaces/joining/join-links.ts';
import { toJoinLink } from '#shared/workspaces/joining/join-views.ts';
import { isLiveItem } from '#shared/workspaces/joining/limited-collection.ts';

export const handler = endpoint(joinLinks.revoke, async ({ params, caller, now }) => {
  const { workspace_id, link_id } = params;
  const [link, { workspace, principal }] = await Promise.all([
    getJoinLink(workspace_id, link_id),
    authorize(caller, 'join-link:revoke', workspace_id),
  ]);
  if (!link || !isLiveItem(link, workspace, now)) throw notFound('no such live join link');
  return revokeJoinLink(link, principal).as(toJoinLink);
});

import { invitations } from '#shared/contract/invitations.ts';
import { pageOf } from '#shared/db/page.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { isPurged, listInvitations } from '#shared/workspaces/invitations/invitations.ts';
import { toInvitation } from '#shared/workspaces/views.ts';

export const handler = endpoint(invitations.list, async ({ params, query, caller, page, now }) => {
  const { workspace_id } = params;
  const { state = 'pending' } = query;
  await authorize(caller, 'invitation:list', workspace_id);
  const stored = await listInvitations(workspace_id, state, now);
  const all = stored.filter((invitation) => !isPurged(invitation, now));
  const { items, next } = pageOf(all, page, ({ user_id }) => user_id);
  const result = items.map((invitation) => toInvitation(invitation, now));
  return replyPage(result, { total: all.length, next });
});

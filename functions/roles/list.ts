import { roles } from '#shared/contract/roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { toRoles } from '#shared/roles/views.ts';

export const handler = endpoint(roles.list, async ({ caller }) => {
  const { definitions } = await getRoles(caller.project_id);
  return replyPage(toRoles(definitions));
});

import { permissions } from '#shared/contract/permissions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { replyPage } from '#shared/http/reply.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { toPermissions } from '#shared/roles/views.ts';

export const handler = endpoint(permissions.list, async ({ caller }) => {
  const { definitions } = await getRoles(caller.project_id);
  return replyPage(toPermissions(definitions));
});

import { permissions } from '#shared/contract/permissions.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { findPermission } from '#shared/roles/views.ts';

export const handler = endpoint(permissions.get, async ({ params, caller }) => {
  const { definitions } = await getRoles(caller.project_id);
  const found = findPermission(params.permission, definitions);
  if (!found) throw notFound('no such permission');
  return found;
});

import { roles } from '#shared/contract/roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { findRole } from '#shared/roles/views.ts';

export const handler = endpoint(roles.get, async ({ params, caller }) => {
  const { definitions } = await getRoles(caller.project_id);
  const found = findRole(params.role, definitions);
  if (!found) throw notFound('no such role');
  return found;
});

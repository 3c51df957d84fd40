import { roles } from '#shared/contract/roles.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/model/errors.ts';
import { deleteRole } from '#shared/roles/change-roles.ts';
import { requireUnused } from '#shared/roles/holders.ts';
import { getRoles, versionItem } from '#shared/roles/stored.ts';
import { findRole } from '#shared/roles/views.ts';

export const handler = endpoint(roles.delete, async ({ params, caller, match, now }) => {
  const { role } = params;
  const stored = await getRoles(caller.project_id);
  const before = findRole(role, stored.definitions);
  if (!before || before.built_in) throw notFound('no such role of the project');
  match?.(versionItem(stored), before);
  await requireUnused(stored, role, now);
  return deleteRole(stored, role).as(() => before);
});

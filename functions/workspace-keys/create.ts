import { createKey } from '#shared/api-keys/change-keys.ts';
import { workspaceOfKeys } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { workspaceKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { actingMember, authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.create, async ({ params, body, caller, now }) => {
  const { owner, ...managed } = await workspaceOfKeys(
    authorize(caller, 'api-key:manage', params.workspace_id),
  );
  const { permissions, role = permissions ? 'admin' : 'member' } = body;
  managed.requirePermissions?.({ role, ...(permissions && { permissions }) });
  const given = { ...body, role, created_by: actingMember(caller) };
  const create = await createKey(owner, given, managed, now);
  return create.as(({ key, text }) => ({ ...toApiKey(key, now), key: text }));
});

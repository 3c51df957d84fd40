import { createKey } from '#shared/api-keys/change-keys.ts';
import { holding, requireDefined } from '#shared/api-keys/key-rights.ts';
import { managedBy, sessionChecks } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { workspaceKeys } from '#shared/contract/workspace-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.create, async ({ params, body, caller, now }) => {
  const [{ workspace, principal }, roles] = await Promise.all([
    authorize(caller, 'api-key:manage', params.workspace_id),
    getRoles(caller.project_id),
  ]);
  const { permissions, role = permissions ? 'admin' : 'member' } = body;
  requireDefined(permissions, roles.definitions);
  const fields = { ...body, role, created_by: principal?.uid };
  const managed = managedBy({ workspace, principal: holding(principal, fields, roles) });
  const checks = { ...managed.checks, ...sessionChecks(caller) };
  const create = await createKey(managed.owner, fields, checks, now);
  return create.as(({ key, text }) => ({ ...toApiKey(key, now), key: text }));
});

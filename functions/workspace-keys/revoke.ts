import { revokeKey } from '#shared/api-keys/change-keys.ts';
import { requireWorkspaceKey, sessionChecks } from '#shared/api-keys/owners.ts';
import { workspaceKeys } from '#shared/contract/workspace-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.revoke, async ({ params, caller, now }) => {
  const { key_id } = params;
  const { owner, key, checks } = await requireWorkspaceKey(
    authorize(caller, 'api-key:manage', params.workspace_id),
    params,
    now,
  );
  const revoked = revokeKey(owner, key, { ...checks, ...sessionChecks(caller) });
  return revoked.as(() => ({ key_id, revoked_at: now.toISOString() }));
});

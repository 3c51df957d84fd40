import { revokeKey } from '#shared/api-keys/change-keys.ts';
import { requireKey, workspaceOfKeys } from '#shared/api-keys/owners.ts';
import { workspaceKeys } from '#shared/contract/workspace-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.revoke, async ({ params, caller, now }) => {
  const { workspace_id, key_id } = params;
  const of = { kind: 'workspace', id: workspace_id, key_id } as const;
  const { owner, key, ...managed } = await requireKey(
    workspaceOfKeys(authorize(caller, 'api-key:manage', workspace_id)),
    of,
    now,
  );
  return revokeKey(owner, key, managed).as(() => ({ key_id, revoked_at: now.toISOString() }));
});

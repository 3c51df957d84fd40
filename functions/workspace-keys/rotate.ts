import { rotateKey } from '#shared/api-keys/change-keys.ts';
import { requireKey, workspaceOfKeys } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { workspaceKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.rotate, async ({ params, body, caller, now }) => {
  const { workspace_id, key_id } = params;
  const { overlap = lifetimes.apiKey.overlap } = body;
  const of = { kind: 'workspace', id: workspace_id, key_id } as const;
  const { owner, key, ...managed } = await requireKey(
    workspaceOfKeys(authorize(caller, 'api-key:manage', workspace_id)),
    of,
    now,
  );
  // The response has a text of the key.
  managed.requirePermissions?.(key);
  return rotateKey(owner, key, overlap, managed, now).as((rotated) => ({
    ...toApiKey(rotated.key, now),
    key: rotated.text,
  }));
});

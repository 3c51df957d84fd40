import { findLiveKey } from '#shared/api-keys/live-key.ts';
import { permissionsOfKey } from '#shared/api-keys/owners.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(apiKeys.verify, async ({ body, caller, now }) => {
  const found = await findLiveKey(body.key, ['user', 'workspace'], now);
  // A key of another project must not be revealed to this caller.
  if (found?.key.project_id !== caller.project_id) return { valid: false };
  const { key, owner } = found;
  const { key_id, name, role = 'member', permissions, ends_at } = key;
  const shown = {
    valid: true,
    key_id,
    name,
    ...(ends_at !== undefined && { expires_at: ends_at }),
  };
  if (owner.kind === 'user')
    return { ...shown, uid: owner.id, ...(permissions && { permissions }) };
  const held = permissionsOfKey(key);
  return { ...shown, workspace_id: owner.id, role, permissions: held };
});

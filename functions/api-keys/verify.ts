import { readKeyText } from '#shared/access/api-key-text.ts';
import { countKeyRequest } from '#shared/api-keys/key-rate-limit.ts';
import { permissionsOfKey } from '#shared/api-keys/key-rights.ts';
import { findLiveKey, type LiveKey } from '#shared/api-keys/live-key.ts';
import { shownMetadata } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type Rights, readRights } from '#shared/roles/rights.ts';
import { getRoles } from '#shared/roles/stored.ts';

export const handler = endpoint(apiKeys.verify, async ({ body, caller, now }) => {
  const { project_id } = caller;
  const { workspace_id } = body;
  const uid = userOf(body.key);
  const reading = getRoles(project_id);
  const finding = findLiveKey(body.key, ['user', 'workspace'], now);
  const [found, { definitions }, rights] = await Promise.all([
    finding,
    reading,
    workspace_id !== undefined && uid !== undefined
      ? readRights(project_id, workspace_id, uid, finding.then(isSingleFactor), reading)
      : undefined,
  ]);
  // A key of another project must not be revealed to this caller.
  if (found?.key.project_id !== project_id) return { valid: false };
  const retry_after = await countKeyRequest(caller.project, found, now);
  if (retry_after !== undefined) return { valid: false, retry_after };
  const { key, owner } = found;
  const { key_id, name, role = 'member', permissions, ends_at } = key;
  const keyView = {
    valid: true,
    key_id,
    name,
    ...(ends_at !== undefined && { expires_at: ends_at }),
    ...shownMetadata(key),
  };
  if (owner.kind === 'workspace') {
    // A backend that asks about another workspace must not take this for a right there.
    if (workspace_id !== undefined && workspace_id !== owner.id) return { valid: false };
    return {
      ...keyView,
      workspace_id: owner.id,
      role,
      permissions: permissionsOfKey(key, definitions),
    };
  }
  if (workspace_id === undefined)
    return { ...keyView, uid: owner.id, ...(permissions && { permissions }) };
  return { ...keyView, uid: owner.id, workspace_id, ...heldBy(rights, permissions) };
});

/** Whether the user had shown one factor alone when they got the text of the key. */
const isSingleFactor = (found: LiveKey | undefined): boolean => found?.second_factor !== true;

/** The user whose key a text says to be. */
function userOf(text: string): string | undefined {
  const named = readKeyText(text);
  return named?.kind === 'user' ? named.owner_id : undefined;
}

/** What a user may do in a workspace by a key that is limited to some permissions. */
function heldBy(rights: Rights | undefined, limited: readonly string[] | undefined) {
  if (!rights) return { permissions: [] };
  const granted = [...rights.permissions];
  const permissions = granted.filter((each) => limited?.includes(each) ?? true);
  return { role: rights.role, permissions };
}

import { rotateKey } from '#shared/api-keys/change-keys.ts';
import { holding } from '#shared/api-keys/key-rights.ts';
import { managedBy, requireWorkspaceKey, sessionChecks } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { workspaceKeys } from '#shared/contract/workspace-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { authorize } from '#shared/workspaces/authorize.ts';

export const handler = endpoint(workspaceKeys.rotate, async ({ params, body, caller, now }) => {
  const { overlap = lifetimes.apiKey.overlap } = body;
  const authorizing = authorize(caller, 'api-key:manage', params.workspace_id);
  const [{ key }, { workspace, principal }, roles] = await Promise.all([
    requireWorkspaceKey(authorizing, params, now),
    authorizing,
    getRoles(caller.project_id),
  ]);
  // The response has a text of the key.
  const managed = managedBy({ workspace, principal: holding(principal, key, roles) });
  const checks = { ...managed.checks, ...sessionChecks(caller) };
  return rotateKey(managed.owner, key, { overlap }, checks, now).as((rotated) => ({
    ...toApiKey(rotated.key, now),
    key: rotated.text,
  }));
});

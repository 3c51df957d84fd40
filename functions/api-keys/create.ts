import { createKey } from '#shared/api-keys/change-keys.ts';
import { requireDefined } from '#shared/api-keys/key-rights.ts';
import { requireKeysOf, sessionChecks } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { isCallerSingleFactor } from '#shared/workspaces/second-factor.ts';

export const handler = endpoint(apiKeys.create, async ({ body, caller, now }) => {
  const [{ owner }, { definitions }, singleFactor] = await Promise.all([
    requireKeysOf(caller),
    getRoles(caller.project_id),
    isCallerSingleFactor(caller),
  ]);
  requireDefined(body.permissions, definitions);
  const key = { ...body, second_factor: !singleFactor };
  const create = await createKey(owner, key, sessionChecks(caller), now);
  return create.as((made) => ({ ...toApiKey(made.key, now), key: made.text }));
});

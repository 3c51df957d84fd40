import { createKey } from '#shared/api-keys/change-keys.ts';
import { requireDefined } from '#shared/api-keys/key-rights.ts';
import { requireKeysOf } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getRoles } from '#shared/roles/stored.ts';
import { isCallerSingleFactor } from '#shared/workspaces/second-factor.ts';

export const handler = endpoint(apiKeys.create, async ({ body, caller, now }) => {
  const [{ owner, ...managed }, { definitions }, singleFactor] = await Promise.all([
    requireKeysOf(caller),
    getRoles(caller.project_id),
    isCallerSingleFactor(caller),
  ]);
  requireDefined(body.permissions, definitions);
  const create = await createKey(owner, { ...body, second_factor: !singleFactor }, managed, now);
  return create.as(({ key, text }) => ({ ...toApiKey(key, now), key: text }));
});

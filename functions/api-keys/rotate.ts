import { rotateKey } from '#shared/api-keys/change-keys.ts';
import { requireKeyOf, sessionChecks } from '#shared/api-keys/owners.ts';
import { toApiKey } from '#shared/api-keys/views.ts';
import { apiKeys } from '#shared/contract/api-keys.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { isCallerSingleFactor } from '#shared/workspaces/second-factor.ts';

export const handler = endpoint(apiKeys.rotate, async ({ params, body, caller, now }) => {
  const { key_id } = params;
  const { overlap = lifetimes.apiKey.overlap } = body;
  const [{ owner, key }, singleFactor] = await Promise.all([
    requireKeyOf(caller, key_id, now),
    isCallerSingleFactor(caller),
  ]);
  const rotation = { overlap, second_factor: !singleFactor };
  return rotateKey(owner, key, rotation, sessionChecks(caller), now).as((rotated) => ({
    ...toApiKey(rotated.key, now),
    key: rotated.text,
  }));
});

import { factors } from '#shared/contract/factors.ts';
import { renewRecoveryCodes } from '#shared/factors/change-factor.ts';
import { requireMfa } from '#shared/factors/enrol.ts';
import { getFactorKey } from '#shared/factors/factors.ts';
import { proveFactor } from '#shared/factors/prove.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireCaller } from '#shared/identity/users/users.ts';

export const handler = endpoint(factors.renewRecoveryCodes, async ({ body, caller, now }) => {
  requireMfa(caller.project);
  const [user, key] = await Promise.all([requireCaller(caller), getFactorKey()]);
  const proof = await proveFactor(caller.uid, body, key, now);
  return renewRecoveryCodes({ user, session_id: caller.session_id }, proof, key, now);
});

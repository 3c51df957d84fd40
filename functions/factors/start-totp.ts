import { factors } from '#shared/contract/factors.ts';
import { requireMfa, startTotp } from '#shared/factors/enrol.ts';
import { getFactorKey } from '#shared/factors/factors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { confirmSession } from '#shared/identity/reauthenticate.ts';

export const handler = endpoint(factors.startTotp, async ({ body, caller, now }) => {
  requireMfa(caller.project);
  const [user, key] = await Promise.all([
    confirmSession(caller, body.current_password, now),
    getFactorKey(),
  ]);
  return startTotp(caller, user, key, now);
});

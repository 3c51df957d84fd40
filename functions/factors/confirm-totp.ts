import { factors } from '#shared/contract/factors.ts';
import { confirmTotp, requireMfa } from '#shared/factors/enrol.ts';
import { getFactorKey } from '#shared/factors/factors.ts';
import { endpoint } from '#shared/http/endpoint.ts';

export const handler = endpoint(factors.confirmTotp, async ({ body, caller, now }) => {
  requireMfa(caller.project);
  return confirmTotp(caller, body.code, await getFactorKey(), now);
});

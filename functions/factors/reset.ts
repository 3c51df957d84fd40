import { factors } from '#shared/contract/factors.ts';
import { removeFactor } from '#shared/factors/change-factor.ts';
import { getFactor, toFactor } from '#shared/factors/factors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireUser } from '#shared/identity/users/users.ts';
import { notFound } from '#shared/model/errors.ts';

export const handler = endpoint(factors.reset, async ({ params, caller, now }) => {
  const [user, factor] = await Promise.all([
    requireUser(caller.project_id, params.uid),
    getFactor(params.uid),
  ]);
  if (!factor) throw notFound('the user has no factor');
  return removeFactor(user, factor, now).as(toFactor);
});

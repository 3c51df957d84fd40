import { factors } from '#shared/contract/factors.ts';
import { removeFactor } from '#shared/factors/change-factor.ts';
import { getFactorKey, toFactor } from '#shared/factors/factors.ts';
import { proveFactor } from '#shared/factors/prove.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireCaller } from '#shared/identity/users/users.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(factors.deleteTotp, async ({ body, caller, now }) => {
  const { project, uid, session_id } = caller;
  if (project.mfa === 'required') throw new ApiError('factor_required');
  const [user, key] = await Promise.all([requireCaller(caller), getFactorKey()]);
  const proof = await proveFactor(uid, body, key, now);
  return removeFactor(user, proof.factor, now, { proof, session_id }).as(toFactor);
});

import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { factors } from '#shared/contract/factors.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import {
  confirmFactor,
  countEnrolment,
  enrolled,
  factorAdded,
  requireMfa,
} from '#shared/factors/enrol.ts';
import { getFactorKey, notice } from '#shared/factors/factors.ts';
import { requireMfaToken, startAfterFactor } from '#shared/factors/mfa-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireSignInMethod, sessionOrigin } from '#shared/identity/sign-in.ts';
import { issueTokensFor } from '#shared/identity/token-claims.ts';
import { recordingFailure } from '#shared/stats/failures.ts';

export const handler = endpoint(factors.confirmEnrolment, async ({ body, client, now }) => {
  const { project_id, mfa_token, code } = body;
  const project = await requireSignInMethod(project_id);
  requireMfa(project);
  const network = networkKey(project_id, client.address);
  const [{ token, user }, keys, factorKey] = await Promise.all([
    requireMfaToken(mfa_token, project_id, now),
    getSigningKeys(),
    getFactorKey(),
    consumeRateLimit('failuresFromOne', network, now),
  ]);
  const { uid, method } = token;
  const made = await recordingFailure({ project_id, method, subject: network }, now, async () =>
    confirmFactor(await countEnrolment(uid, token.pk, now), code, factorKey, now),
  );
  refundRateLimit('failuresFromOne', network, now);
  const signIn = await startAfterFactor(
    { project, token, origin: sessionOrigin(method, client) },
    user,
    {
      factor: made.write,
      changes: enrolled(user, method, now),
      facts: [factorAdded],
      told: notice('factor_added', user, now).notice,
    },
    now,
  );
  const { recovery_codes } = made;
  return signIn.as(async (signedIn) => ({
    ...(await issueTokensFor(project, signedIn, keys)),
    recovery_codes,
  }));
});

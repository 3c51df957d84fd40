import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { factors } from '#shared/contract/factors.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import { requireMfa } from '#shared/factors/enrol.ts';
import { getFactorKey } from '#shared/factors/factors.ts';
import { finishSignIn, requireMfaToken } from '#shared/factors/mfa-sign-in.ts';
import { proveFactor } from '#shared/factors/prove.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireSignInMethod, sessionOrigin } from '#shared/identity/sign-in.ts';
import { issueTokensFor } from '#shared/identity/token-claims.ts';
import { recordingFailure } from '#shared/stats/failures.ts';

export const handler = endpoint(factors.signIn, async ({ body, client, now }) => {
  const { project_id, mfa_token, ...guess } = body;
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
  const proof = await recordingFailure({ project_id, method, subject: network }, now, () =>
    proveFactor(uid, guess, factorKey, now),
  );
  refundRateLimit('failuresFromOne', network, now);
  const origin = sessionOrigin(method, client);
  const signIn = await finishSignIn({ project, token, origin }, user, proof, now);
  return signIn.as((signedIn) => issueTokensFor(project, signedIn, keys));
});

import { readDeviceToken } from '#shared/access/device-token.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { identities } from '#shared/contract/identities.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { verifyIdentity } from '#shared/identity/identity-links.ts';
import { signInByIdentity } from '#shared/identity/identity-sign-in.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { requireSignInMethod, sessionOrigin } from '#shared/identity/sign-in.ts';
import { recordingFailure } from '#shared/stats/failures.ts';

export const handler = endpoint(identities.signIn, async ({ body, client, now }) => {
  const { project_id, provider, agreed_terms } = body;
  const project = await requireSignInMethod(project_id);
  const network = networkKey(project_id, client.address);
  await consumeRateLimit('failuresFromOne', network, now);
  const attempted = { project_id, method: provider, subject: network };
  const [identity, keys] = await Promise.all([
    recordingFailure(attempted, now, () => verifyIdentity(project, body)),
    getSigningKeys(),
  ]);
  refundRateLimit('failuresFromOne', network, now);
  const entry = {
    project,
    provider,
    identity,
    origin: sessionOrigin(provider, client, readDeviceToken(body.device_token, keys.refreshSecret)),
    agreed_terms,
  };
  const signIn = await signInByIdentity(entry, now);
  return signIn.as((result) => answerSignIn(project, result, keys));
});

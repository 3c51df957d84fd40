import { beginAtDevice } from '#shared/factors/answer-sign-in.ts';
import { readDeviceToken } from '#shared/access/device-token.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { passkeys } from '#shared/contract/passkeys.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { requireSignInMethod, sessionOrigin } from '#shared/identity/sign-in.ts';
import { passkeyMethod } from '#shared/passkeys/passkeys.ts';
import { signInByPasskey, verifyPasskey } from '#shared/passkeys/sign-in.ts';
import { recordingFailure } from '#shared/stats/failures.ts';

export const handler = endpoint(passkeys.signIn, async ({ body, client, now }) => {
  const { project_id, credential, device_token } = body;
  const project = await requireSignInMethod(project_id, 'passkeys');
  const network = networkKey(project_id, client.address);
  await consumeRateLimit('failuresFromOne', network, now);
  const attempted = { project_id, method: passkeyMethod, subject: network };
  const [proof, keys] = await Promise.all([
    recordingFailure(attempted, now, () => verifyPasskey(project, credential, now)),
    getSigningKeys(),
  ]);
  refundRateLimit('failuresFromOne', network, now);
  const origin = sessionOrigin(
    passkeyMethod,
    client,
    readDeviceToken(device_token, keys.refreshSecret),
  );
  const signIn = await signInByPasskey({ project, proof, origin }, now);
  return signIn.as((signedIn) => beginAtDevice(project, signedIn, keys));
});

import { readDeviceToken } from '#shared/access/device-token.ts';
import { getSigningKeys } from '#shared/access/signing-keys.ts';
import { providers } from '#shared/contract/providers.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '#shared/db/rate-limits.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { signInByIdentity } from '#shared/identity/identity-sign-in.ts';
import { requireSignInMethod, sessionOrigin } from '#shared/identity/sign-in.ts';
import { requireProviderCode, tokensOf } from '#shared/providers/codes.ts';
import { providerOf } from '#shared/providers/configured.ts';
import { ApiError } from '#shared/model/errors.ts';
import { recordingFailure } from '#shared/stats/failures.ts';

export const handler = endpoint(providers.signIn, async ({ body, client, now }) => {
  const { project_id, agreed_terms } = body;
  const project = await requireSignInMethod(project_id);
  if (Object.keys(project.sign_in_providers ?? {}).length === 0)
    throw new ApiError('sign_in_method_disabled');
  const network = networkKey(project_id, client.address);
  await consumeRateLimit('failuresFromOne', network, now);
  const attempted = { project_id, method: 'provider', subject: network };
  const [{ item, used }, keys] = await Promise.all([
    recordingFailure(attempted, now, () => requireProviderCode(body, now)),
    getSigningKeys(),
  ]);
  refundRateLimit('failuresFromOne', network, now);
  const { provider, identity } = item;
  const settings = providerOf(project, provider);
  if (!settings) throw new ApiError('sign_in_method_disabled');
  const signIn = await signInByIdentity(
    {
      ...{ project, provider, identity, agreed_terms, proof: used },
      tokens: tokensOf(item, settings),
      origin: sessionOrigin(
        provider,
        client,
        readDeviceToken(body.device_token, keys.refreshSecret),
      ),
    },
    now,
  );
  return signIn.as((result) => answerSignIn(project, result, keys));
});

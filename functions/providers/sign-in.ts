import { providers } from '#shared/contract/providers.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { attemptSignIn } from '#shared/identity/attempt-sign-in.ts';
import { signInByIdentity } from '#shared/identity/identity-sign-in.ts';
import { requireSignInMethod } from '#shared/identity/sign-in.ts';
import { requireProviderCode } from '#shared/providers/codes.ts';
import { providerOf } from '#shared/providers/configured.ts';
import { ApiError } from '#shared/model/errors.ts';

export const handler = endpoint(providers.signIn, async ({ body, client, now }) => {
  const { project_id, agreed_terms } = body;
  const project = await requireSignInMethod(project_id);
  if (Object.keys(project.sign_in_providers ?? {}).length === 0)
    throw new ApiError('sign_in_method_disabled');
  const { proven, keys, originBy } = await attemptSignIn(body, 'provider', client, now, () =>
    requireProviderCode(body, now),
  );
  const { provider, identity } = proven.item;
  if (!providerOf(project, provider)) throw new ApiError('sign_in_method_disabled');
  const origin = originBy(provider);
  const entry = { project, provider, identity, agreed_terms, proof: proven.used, origin };
  const signIn = await signInByIdentity(entry, now);
  return signIn.as((result) => answerSignIn(project, result, keys));
});

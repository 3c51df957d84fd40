import { providers } from '#shared/contract/providers.ts';
import { answerSignIn } from '#shared/factors/answer-sign-in.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { signInByIdentity } from '#shared/identity/identities/identity-sign-in.ts';
import { attemptSignIn } from '#shared/identity/sign-in/attempt-sign-in.ts';
import { requirePublicProject } from '#shared/identity/sign-in/sign-in.ts';
import { ApiError } from '#shared/model/errors.ts';
import { requireProviderCode, requireProviderOf, tokensOf } from '#shared/providers/codes.ts';

export const handler = endpoint(providers.signIn, async ({ body, client, now }) => {
  const { project_id, agreed_terms } = body;
  const project = await requirePublicProject(project_id);
  if (Object.keys(project.sign_in_providers ?? {}).length === 0)
    throw new ApiError('sign_in_method_disabled');
  const { proven, signingKeys, originBy } = await attemptSignIn(body, 'provider', client, now, () =>
    requireProviderCode(body, now),
  );
  const { item, used } = proven;
  const { provider, identity } = item;
  const settings = requireProviderOf(project, item);
  const signIn = await signInByIdentity(
    {
      ...{ project, provider, identity, agreed_terms, proof: used },
      tokens: tokensOf(item, settings),
      origin: originBy(provider),
    },
    now,
  );
  return signIn.as((result) => answerSignIn(project, result, signingKeys));
});

import { verifyIdentityToken } from '#shared/auth/identity-token.ts';
import { signInByIdentity } from '#shared/auth/identity-sign-in.ts';
import { issueTokens } from '#shared/auth/issue.ts';
import { sourceOf } from '#shared/auth/network.ts';
import { openingOf, requireOffering } from '#shared/auth/sign-in.ts';
import { getSigningKeys } from '#shared/auth/signing-secret.ts';
import { identities } from '#shared/contract/identities.ts';
import { Failure } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { take } from '#shared/table/rates.ts';

export const handler = endpoint(identities.signIn, async ({ body, client, now }) => {
  const { project_id, provider, id_token, nonce, agreed_terms } = body;
  const project = await requireOffering(project_id);
  const known = project.identity_providers;
  const settings = known && Object.hasOwn(known, provider) ? known[provider] : undefined;
  if (!settings) throw new Failure('sign_in_method_disabled');
  const [identity, keys] = await Promise.all([
    verifyIdentityToken(id_token, settings, { now, ...(nonce !== undefined && { nonce }) }),
    getSigningKeys(),
    take('signInsFromOne', `${project_id} ${sourceOf(client.address)}`, now),
  ]);
  const opening = openingOf(provider, client);
  const entry = { project, provider, identity, opening, agreed_terms };
  const { session, user, created } = await signInByIdentity(entry, now);
  return issueTokens(session, user, keys, created);
});

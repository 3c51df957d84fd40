import { deviceToken } from './device.ts';
import type { PublicProject } from '../client/generated/api.ts';
import { newKey } from '../client/send.ts';
import { hrefOf, page, providerAnswer } from './address.ts';
import { FieldError, isCode } from './failures.ts';
import { project } from './project.ts';
import { keepRequest } from './provider-request.ts';
import { api, enter } from './session.ts';
import { t } from './texts.ts';
import { acceptedTerms } from './ui/terms.tsx';

/**
 * Sign-in at an identity provider by its ID token alone, which comes back in the fragment (OpenID Connect Core 1.0,
 * section 3.2): no script of the provider runs here, and the project needs no secret of it.
 */

type Provider = PublicProject['methods']['identity_providers'][number];

/** The providers that have a page to sign in on. */
export const providersOf = (): Provider[] =>
  project.methods.identity_providers.filter((each) => each.authorization_endpoint);

/** What people call a provider. */
export const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Sends the browser to a provider, which sends it back to the sign-in page.
 * @param linkTo the user to whom the account there is linked, on the page of their own account
 */
export function goTo(
  { name, client_ids, authorization_endpoint = '' }: Provider,
  email: string,
  linkTo?: string,
) {
  const isOwnPage = page === 'sign-in' || page === 'sign-up';
  const { search } = location;
  const request = {
    ...{ provider: name, state: newKey(), linkTo },
    ...(isOwnPage ? { search, next: 'account' } : { search: '', next: page + search }),
  };
  keepRequest(request);
  const url = new URL(authorization_endpoint);
  for (const [parameter, value] of Object.entries({
    ...{ response_type: 'id_token', scope: 'openid email profile' },
    ...{ client_id: client_ids[0] ?? '', redirect_uri: hrefOf('sign-in') },
    ...{ state: request.state, nonce: request.state, ...(email && { login_hint: email }) },
  }))
    url.searchParams.set(parameter, value);
  location.assign(url);
}

/** What a provider has answered to who links an account there. Nobody is signed in by it. */
export const linkAnswer = providerAnswer?.linkTo === undefined ? undefined : providerAnswer;

let answer = linkAnswer ? undefined : providerAnswer;

/** Signs in with what the provider has answered, if it has. */
export async function enterByProvider(): Promise<void> {
  if (!answer) return;
  const { provider, id_token, state: nonce, next } = answer;
  answer = undefined;
  if (id_token === null) throw refusalOf(provider);
  const { project_id } = project;
  const signIn = { project_id, provider, id_token, nonce, ...acceptedTerms(), ...deviceToken() };
  const { body } = await api.identities.signIn(signIn).catch((error: unknown) => {
    if (isCode(error, 'identity_link_required')) throw new FieldError('', t('error.email_taken'));
    // The token is no good, or its e-mail is not verified: the reasons are for the developer.
    throw isCode(error, 'identity_token_invalid', 'identity_conflict')
      ? refusalOf(provider)
      : error;
  });
  await enter(body, next);
}

export const refusalOf = (provider: string) =>
  new FieldError('', t('providerRefused', { provider: titleOf(provider) }));
export const hasAnswer = (): boolean => answer !== undefined;

import type { PublicProject } from '../client/generated/api.ts';
import { hrefOf, page, providerAnswer } from './address.ts';
import { FieldError } from './failures.ts';
import { project } from './project.ts';
import { keepRequest } from './provider-request.ts';
import { api, enter } from './session.ts';
import { t } from './texts.ts';

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

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** Sends the browser to a provider, which sends it back to the sign-in page. */
export function goTo({ name, client_ids, authorization_endpoint = '' }: Provider, email: string) {
  const isOwnPage = page === 'sign-in' || page === 'sign-up';
  const { search } = location;
  const request = {
    ...{ provider: name, state: random(), nonce: random() },
    ...(isOwnPage ? { search, next: 'account' } : { search: '', next: page + search }),
  };
  keepRequest(request);
  const url = new URL(authorization_endpoint);
  for (const [parameter, value] of Object.entries({
    ...{ response_type: 'id_token', response_mode: 'fragment', scope: 'openid email profile' },
    ...{ client_id: client_ids[0] ?? '', redirect_uri: hrefOf('sign-in') },
    ...{ state: request.state, nonce: request.nonce, ...(email && { login_hint: email }) },
  }))
    url.searchParams.set(parameter, value);
  location.assign(url);
}

let answer = providerAnswer;

/** Signs in with what the provider has answered, if it has. A new account has agreed to what stood beside the button. */
export async function enterByProvider(): Promise<void> {
  if (!answer) return;
  const { provider, id_token, nonce, next } = answer;
  answer = undefined;
  if (id_token === null)
    throw new FieldError('provider', t('providerRefused', { provider: titleOf(provider) }));
  const { project_id } = project;
  const agreed_terms = project.branding?.links?.terms
    ? { tos: true as const, sign_up: true as const }
    : undefined;
  const signIn = { project_id, provider, id_token, nonce, ...(agreed_terms && { agreed_terms }) };
  const { body } = await api.identities.signIn(signIn);
  await enter(body, next);
}

export const hasAnswer = (): boolean => answer !== undefined;

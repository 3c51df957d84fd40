import { newKey } from '../client/send.ts';
import { page, providerAnswer } from './address.ts';
import { leave } from './leave-for-provider.ts';
import { project } from './project.ts';
import type { Provider } from './provider-request.ts';

/**
 * Sign-in at identity providers. Some are asked by the service (`/oauth/{provider}/start`). Others answer this page with
 * an ID token in the fragment (OpenID Connect Core 1.0, section 3.2): no script of the provider runs here, and the
 * project needs no secret of it.
 */

/** The providers that have a page to sign in on. One of two kinds is asked by the service. */
export function providersOf(): Provider[] {
  const { identity_providers, sign_in_providers } = project.methods;
  const isOther = ({
    name,
    authorization_endpoint,
  }: Provider & { authorization_endpoint?: string }) =>
    authorization_endpoint && !sign_in_providers.some((each) => each.name === name);
  return [...sign_in_providers, ...identity_providers.filter(isOther)];
}

/**
 * Sends the browser to a provider, which sends it back to the sign-in page.
 * @param linkTo the user to whom the account there is linked, on the page of their own account
 */
export async function goTo(provider: Provider, email: string, linkTo?: string): Promise<void> {
  const isOwnPage = page === 'sign-in' || page === 'sign-up';
  const { search } = location;
  const request = {
    provider: provider.name,
    state: newKey(),
    linkTo,
    ...(isOwnPage ? { search, next: 'account' } : { search: '', next: page + search }),
  };
  return leave(provider, request, email);
}

/** What a provider has answered to who links an account there. Nobody is signed in by it. */
export const linkAnswer = providerAnswer?.linkTo ? providerAnswer : undefined;

let answer = linkAnswer ? undefined : providerAnswer;
export type ProviderAnswer = NonNullable<typeof answer>;

/** What a provider has answered to who signs in; once. */
export function takeAnswer(): ProviderAnswer | undefined {
  const currentAnswer = answer;
  answer = undefined;
  return currentAnswer;
}
export const hasAnswer = (): boolean => answer !== undefined;

import { deviceToken } from './device.ts';
import type { PublicProject } from '../client/generated/api.ts';
import { newKey } from '../client/send.ts';
import { page, providerAnswer } from './address.ts';
import { FieldError, isCode } from './failures.ts';
import { project } from './project.ts';
import { api, enter } from './session.ts';
import { t } from './texts.ts';
import { acceptedTerms } from './ui/terms.tsx';

/**
 * Sign-in at identity providers. Some are asked by the service (`/oauth/{provider}/start`). Others answer this page with
 * an ID token in the fragment (OpenID Connect Core 1.0, section 3.2): no script of the provider runs here, and the
 * project needs no secret of it.
 */

type Methods = PublicProject['methods'];
export type IdTokenProvider = Methods['identity_providers'][number];
type Provider = IdTokenProvider | Methods['sign_in_providers'][number];

/** The providers that have a page to sign in on. */
export function providersOf(): Provider[] {
  // The service may be of a release before, and a page that came by http from afar has no `crypto.subtle`.
  const redirecting = ('subtle' in crypto && project.methods.sign_in_providers) || [];
  const others = project.methods.identity_providers.filter(
    ({ name, authorization_endpoint }) =>
      authorization_endpoint && !redirecting.some((each) => each.name === name),
  );
  return [...redirecting, ...others];
}

const titles: Record<string, string> = { github: 'GitHub', gitlab: 'GitLab', linkedin: 'LinkedIn' };

/** What people call a provider. */
export const titleOf = (name: string): string =>
  titles[name] ?? name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Sends the browser to a provider, which sends it back to the sign-in page.
 * @param linkTo the user to whom the account there is linked, on the page of their own account
 */
export async function goTo(provider: Provider, email: string, linkTo?: string): Promise<void> {
  const isOwnPage = page === 'sign-in' || page === 'sign-up';
  const { search } = location;
  const request = {
    ...{ provider: provider.name, state: newKey(), linkTo },
    ...(isOwnPage ? { search, next: 'account' } : { search: '', next: page + search }),
  };
  const { leaveFor, leaveForIdToken } = await import('./leave-for-provider.ts');
  return 'preset' in provider
    ? leaveFor(request, email)
    : leaveForIdToken(provider, request, email);
}

/** What a provider has answered to who links an account there. Nobody is signed in by it. */
export const linkAnswer = providerAnswer?.linkTo === undefined ? undefined : providerAnswer;

let answer = linkAnswer ? undefined : providerAnswer;

/** Signs in with what the provider has answered, if it has. */
export async function enterByProvider(): Promise<void> {
  if (!answer) return;
  const { provider, id_token, code, verifier = '', state: nonce, next } = answer;
  answer = undefined;
  const { project_id } = project;
  const more = { ...acceptedTerms(), ...deviceToken() };
  const signIn = () => {
    if (code !== undefined)
      return api.providers.signIn({ project_id, code, code_verifier: verifier, ...more });
    if (id_token === undefined) throw refusalOf(provider);
    return api.identities.signIn({ project_id, provider, id_token, nonce, ...more });
  };
  const { body } = await signIn().catch((error: unknown) => {
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

import { arePagesAt } from '../access/hosted-pages.ts';
import { type Project, providerOf, type SignInProvider } from '../access/projects.ts';
import { type Change, change, noChange } from '../db/change.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { invalidField, notFound } from '../model/errors.ts';
import { sha256 } from '../model/ids.ts';
import { presetOf } from '../model/provider-presets.ts';
import { isOpenToPrograms, withParameters } from '../oauth/redirect-uri.ts';
import { bindToBrowser } from './browser-cookie.ts';
import { callbackUrl, isReturnUrl, sendsNonce, sendsPkce } from './configured.ts';
import { type ProviderMetadata, providerMetadataOf } from './metadata.ts';
import { newTransaction, type ProviderSignInRequest } from './transactions.ts';

/** The query of a start. */
export type StartQuery = {
  project_id: string;
  return_url: string;
  code_challenge: string;
  code_challenge_method?: 'S256' | undefined;
  state?: string | undefined;
  login_hint?: string | undefined;
  prompt?: string | undefined;
};

/** Where a browser goes, and the cookies that it gets. */
export type Departure = { location: string; cookies: string[] };

/**
 * Where a start belongs: undefined for the service itself, where the provider leads back to and the cookie must be; its
 * address for the pages of the project at a domain of its own. Throws `not_found` at any other host, such as the domain
 * of another project.
 */
export function elsewhere(
  project: Project,
  { host, path, query }: { host: string; path: string; query: StartQuery },
): string | undefined {
  if (host === new URL(env.baseUrl()).hostname) return undefined;
  if (!arePagesAt(project, host)) throw notFound('the project has no pages at this host');
  return withParameters(`${env.baseUrl()}${path}`, query);
}

/**
 * The provider of a start; undefined if the project has none by the name. Throws `invalid_request` where the browser may
 * not come back to where it says.
 */
export function providerOfStart(
  project: Project,
  name: string,
  { return_url }: StartQuery,
): SignInProvider | undefined {
  if (!isReturnUrl(project, return_url))
    throw invalidField('/query/return_url', 'Must be a return URL of the project, exactly');
  return providerOf(project, name);
}

/** Where a browser goes back to at once. */
export const backAtOnce = (
  { return_url, state }: StartQuery,
  error: 'temporarily_unavailable' | 'sign_in_method_disabled',
): string => withParameters(return_url, { error, state });

/**
 * Begins a sign-in at a provider: stores what its answer must fit, binds it to the browser, and gives the address of
 * the provider. Where the provider's metadata cannot be read, the browser goes back at once.
 */
export async function startAtProvider(
  provider: SignInProvider,
  { name, query, cookies }: { name: string; query: StartQuery; cookies: readonly string[] },
  now: Date,
): Promise<Change<Departure>> {
  const { project_id, return_url, code_challenge, state: app_state } = query;
  let metadata: ProviderMetadata;
  try {
    metadata = await providerMetadataOf(provider);
  } catch (error) {
    currentRequest().survived = error;
    return noChange({ location: backAtOnce(query, 'temporarily_unavailable'), cookies: [] });
  }
  const request: ProviderSignInRequest = {
    project_id,
    provider: name,
    return_url,
    code_challenge,
    ...(app_state !== undefined && { app_state }),
  };
  const { state, secret, nonce, code_verifier, write } = newTransaction(request, now);
  const offline = offlineOf(provider, metadata);
  const byForm = provider.preset === 'apple';
  // In ASCII and on one line: a provider may have written anything there, and it becomes a header. Behind a fragment,
  // which RFC 6749 does not allow, the parameters would reach nobody.
  const endpoint = new URL(metadata.authorization_endpoint);
  endpoint.hash = '';
  const location = withParameters(endpoint.href, {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: callbackUrl(name),
    scope: scopesOf(provider, offline).join(' '),
    state,
    ...(byForm && { response_mode: 'form_post' }),
    ...(sendsNonce(provider) && { nonce }),
    ...(sendsPkce(provider) && {
      code_challenge: sha256(code_verifier),
      code_challenge_method: 'S256',
    }),
    login_hint: query.login_hint,
    // Any program of the machine may take such an address: then nobody is let through without being asked.
    ...(isOpenToPrograms(return_url) && { prompt: 'select_account' }),
    ...offline?.parameters,
    ...(query.prompt !== undefined && { prompt: query.prompt }),
  });
  const bound = bindToBrowser(cookies, { state, secret, crossSite: byForm });
  return change({ begun: write }, { location, cookies: bound });
}

/** What asks for a refresh token, if it is kept. A provider that names its scopes may refuse another one. */
function offlineOf({ preset, keep_tokens }: SignInProvider, metadata: ProviderMetadata) {
  const { offline } = presetOf(preset);
  if (!keep_tokens || !offline) return undefined;
  const { scope } = offline;
  // The provider may have written anything there.
  const known: unknown = metadata.scopes_supported;
  const isKnown = scope === undefined || !Array.isArray(known) || known.includes(scope);
  return isKnown ? offline : undefined;
}

const scopesOf = ({ preset, scopes = [] }: SignInProvider, offline?: { scope?: string }) => [
  ...new Set([...presetOf(preset).scopes, ...scopes, ...(offline?.scope ? [offline.scope] : [])]),
];

import { challengeOf, randomToken } from '../client/pkce.ts';
import { pageUrl, projectId, service } from './address.ts';
import { keepRequest, type Provider, type ProviderRequest } from './provider-request.ts';

/** Leaves for a provider, as `goTo` says. */
export const leave = (
  provider: Provider,
  request: ProviderRequest,
  email: string,
): Promise<void> | void =>
  'preset' in provider ? leaveForCode(request, email) : leaveForIdToken(provider, request, email);

/**
 * Leaves for a provider that the service asks itself: it comes back to the sign-in page with a code, which is worth
 * nothing without the verifier that this tab keeps.
 */
async function leaveForCode(request: ProviderRequest, email: string): Promise<void> {
  const verifier = randomToken();
  const code_challenge = await challengeOf(verifier);
  keepRequest({ ...request, verifier });
  const query = new URLSearchParams({
    project_id: projectId,
    return_url: pageUrl('sign-in'),
    code_challenge,
    state: request.state,
    ...(email && { login_hint: email }),
  });
  location.assign(`${service}/oauth/${request.provider}/start?${query}`);
}

/** Leaves for a provider that answers this page with an ID token. */
function leaveForIdToken(
  { client_ids, authorization_endpoint = '' }: Extract<Provider, { client_ids: string[] }>,
  request: ProviderRequest,
  email: string,
): void {
  keepRequest(request);
  const url = new URL(authorization_endpoint);
  for (const [parameter, value] of Object.entries({
    response_type: 'id_token',
    scope: 'openid email profile',
    client_id: client_ids[0] ?? '',
    redirect_uri: pageUrl('sign-in'),
    state: request.state,
    nonce: request.state,
    ...(email && { login_hint: email }),
  }))
    url.searchParams.set(parameter, value);
  location.assign(url);
}

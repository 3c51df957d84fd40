import { customFetch, refreshTokenGrant } from 'openid-client';
import type { SignInProvider } from '../access/projects.ts';
import { providerTimes } from '../model/provider-limits.ts';
import { maxCallTime, safeFetch } from '../outbound/fetch.ts';
import { configurationOf } from './client-configuration.ts';
import { clientSecretOf, readProviderSecret } from './client-secret.ts';
import { type ProviderMetadata, providerMetadataOf } from './metadata.ts';
import type { Owner } from './sealed-tokens.ts';
import { nameIn, type ProviderTokens, tokensIn, withoutNulls } from './token-response.ts';

/**
 * Milliseconds for the refresh itself: what a request has, less a call for the metadata and a second to write what has
 * come of it. An answer that is not awaited may have used the refresh token up.
 */
const maxRefreshTime = providerTimes.token - maxCallTime - 1_000;

/**
 * Thrown where a provider takes a refresh token no more: it was revoked, has expired or was used, or the provider wants
 * to ask the user.
 */
export class RefreshRefused extends Error {
  override readonly name = 'RefreshRefused';
}

/** Refreshes the tokens of an account. Throws `RefreshRefused`, and rejects with whatever else is wrong. */
export async function refresh(
  { project_id, provider, settings }: Pick<Owner, 'project_id' | 'provider' | 'settings'>,
  refresh_token: string,
): Promise<ProviderTokens> {
  const [metadata, stored] = await Promise.all([
    providerMetadataOf(settings),
    readProviderSecret(project_id, provider, settings),
  ]);
  return ask(settings, { metadata, secret: await clientSecretOf(settings, stored), refresh_token });
}

async function ask(
  settings: SignInProvider,
  grant: { metadata: ProviderMetadata; secret: string; refresh_token: string },
): Promise<ProviderTokens> {
  const config = configurationOf(settings, grant.metadata, grant.secret);
  config[customFetch] = async (url, init) =>
    answerOf(await safeFetch(url, { ...init, time: maxRefreshTime }));
  const answer = await refreshTokenGrant(config, grant.refresh_token).catch((error: unknown) => {
    throw failureOf(error);
  });
  return tokensIn(answer);
}

/** Without the cause: what does not parse is quoted in it, and may be a token. */
function failureOf(error: unknown): Error {
  const { error: code } = Object(error) as { error?: unknown };
  if (typeof code !== 'string') return new Error('The refresh failed');
  if (refusals.includes(code)) return new RefreshRefused(code);
  return new Error(`The provider answered ${nameIn(code)}`);
}

/**
 * Errors after which only the user can help: that of RFC 6749, section 5.2, GitHub's
 * (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens),
 * Slack's (https://docs.slack.dev/reference/methods/openid.connect.token) and Microsoft's, which has begun to ask for a
 * second factor or a consent (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow). Any other
 * may pass.
 */
const refusals = [
  ...['invalid_grant', 'bad_refresh_token', 'invalid_refresh_token', 'token_revoked'],
  ...['interaction_required', 'consent_required'],
];

/**
 * The answer as RFC 6749 has it: GitHub and Slack say with status 200 what has failed, and GitLab adds a challenge, for
 * which openid-client would not read the error in the body. Without its ID token, of which nothing is used, so that
 * nothing depends on it.
 */
async function answerOf(response: Response): Promise<Response> {
  response.headers.delete('www-authenticate');
  if (response.status !== 200) return response;
  const body: unknown = JSON.parse(await response.text(), withoutNulls);
  const { id_token: _, ...answer } = Object(body) as Record<string, unknown>;
  const failed = typeof answer['error'] === 'string' && answer['access_token'] === undefined;
  return Response.json(answer, { status: failed ? 400 : 200 });
}

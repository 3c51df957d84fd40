import type { Project } from '../access/projects.ts';
import type { ProviderToken } from '../contract/identities.ts';
import { type Change, unchanged } from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { StaleReadError } from '../db/request-context.ts';
import { getIdentity, type IdentityItem } from '../identity/identities.ts';
import type { UserItem } from '../identity/users.ts';
import { ApiError, notFound } from '../model/errors.ts';
import { providerLifetimes } from '../model/provider-limits.ts';
import { providerOf } from './configured.ts';
import { getTokenKeys, type KeptToken, openAccess, openRefresh } from './sealed-tokens.ts';

/**
 * The access token of a user at a provider, refreshed there if it is over in less than a minute. Throws `not_found` if no
 * account of the provider is linked, or the project keeps none of its tokens; `provider_sign_in_required` if none is good
 * any more; `temporarily_unavailable` while the provider does not answer.
 */
export async function tokenAtProvider(
  project: Project,
  { project_id, uid, identities = {} }: UserItem,
  provider: string,
  now: Date,
): Promise<Change<ProviderToken>> {
  const account = Object.hasOwn(identities, provider) ? identities[provider] : undefined;
  if (!account) throw notFound('no account of the provider is linked');
  const settings = providerOf(project, provider);
  if (!settings?.keep_tokens)
    throw new ApiError('not_found', { detail: 'The project keeps no tokens of this provider' });
  const [link, keys] = await Promise.all([getIdentity(project_id, account), getTokenKeys()]);
  // Unlinked after the user was read. The next read shows it.
  if (link?.uid !== uid) throw new StaleReadError();
  const { sealed_access, sealed_refresh } = link;
  const owner = { project_id, provider, settings, account };
  const access = sealed_access && openAccess(keys, owner, sealed_access);
  const left = access ? secondsLeft(access, now) : 0;
  if (access && left > providerLifetimes.tokenReserve) return unchanged(toToken(access));
  const usable = access && left > 0 ? access : undefined;
  const refresh_token = sealed_refresh && openRefresh(keys, owner, sealed_refresh);
  if (refresh_token !== undefined && !isRefreshed(link, now)) {
    const { refreshKept } = await import('./refresh-kept.ts');
    const given = { link, sealed_refresh, refresh_token };
    return (await refreshKept(owner, { ...given, keys, access, usable }, now)).as(toToken);
  }
  if (usable) return unchanged(toToken(usable));
  // Another request refreshes it. The next read shows what has come of it.
  if (refresh_token !== undefined) throw new StaleReadError();
  throw signInAgain(access ? 'the token has expired' : 'no token is kept that decrypts');
}

const isRefreshed = ({ refreshing_until = 0 }: IdentityItem, now: Date): boolean =>
  refreshing_until > epochSeconds(now);

/** Without an expiry it is good until the provider says otherwise. */
const secondsLeft = ({ expires_at }: KeptToken, now: Date): number =>
  expires_at === undefined ? Infinity : expires_at - epochSeconds(now);

const toToken = ({ access_token, expires_at, scope }: KeptToken): ProviderToken => ({
  access_token,
  token_type: 'Bearer',
  ...(expires_at !== undefined && { expires_at: new Date(expires_at * 1_000).toISOString() }),
  ...(scope !== undefined && { scope }),
});

export const signInAgain = (reason: string): ApiError =>
  new ApiError('provider_sign_in_required', { reason });

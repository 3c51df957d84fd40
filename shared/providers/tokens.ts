import { type Project, providerOf } from '../access/projects.ts';
import type { ProviderToken } from '../contract/identities.ts';
import { getItem } from '../db/batch-loader.ts';
import { type Change, noChange } from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { StaleReadError } from '../db/request-context.ts';
import { areKeptFor, type ProviderTokensItem } from '../identity/identities/provider-tokens.ts';
import type { UserItem } from '../identity/users/users.ts';
import { ApiError, notFound } from '../model/errors.ts';
import { providerLifetimes } from '../model/provider-limits.ts';
import {
  getTokenKeys,
  type KeptToken,
  openAccess,
  openRefresh,
  signInRequired,
} from './sealed-tokens.ts';

/**
 * Returns the access token of a user at a provider. One that expires in less than a minute is refreshed there first;
 * the old one is returned while it is valid and the refresh is under way or fails. Throws `not_found` if no account of
 * the provider is linked, or the project keeps none of its tokens; `provider_sign_in_required` if none is valid any
 * more; `temporarily_unavailable` while the provider does not answer.
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
  const { issuer, subject } = account;
  const [item, tokenKeys] = await Promise.all([
    getItem<ProviderTokensItem>(keys.providerTokens(project_id, issuer, subject)),
    getTokenKeys(),
  ]);
  if (!item || !areKeptFor(uid, item, now)) throw signInRequired('no token is kept');
  const { sealed_access, sealed_refresh } = item;
  const owner = { project_id, provider, settings, account };
  const access = openAccess(tokenKeys, owner, sealed_access);
  if (access && !isDue(access, item, now)) return noChange(toToken(access));
  const { expires_at = Infinity } = access ?? {};
  const usable = expires_at > epochSeconds(now) ? access : undefined;
  const refresh_token = sealed_refresh && openRefresh(tokenKeys, owner, sealed_refresh);
  if (refresh_token !== undefined && !isBeingRefreshed(item, now)) {
    const { refreshKept } = await import('./refresh-kept.ts');
    const refreshable = { item, refresh_token };
    return (await refreshKept(owner, { ...refreshable, keys: tokenKeys, access, usable }, now)).as(
      toToken,
    );
  }
  if (usable) return noChange(toToken(usable));
  // Another request refreshes it. The next read shows what has come of it.
  if (refresh_token !== undefined) throw new StaleReadError();
  throw signInRequired(access ? 'the token has expired' : 'what is kept does not decrypt');
}

const isBeingRefreshed = ({ refreshing_until = 0 }: ProviderTokensItem, now: Date): boolean =>
  refreshing_until > epochSeconds(now);

/**
 * Whether a token should be refreshed: a minute before its end, but in the second half of its life. One without an end
 * is refreshed hourly where that is possible: a provider need not say when its tokens end (RFC 6749, section 5.1).
 */
function isDue(
  { expires_at }: KeptToken,
  { expires_at: kept_until, sealed_refresh }: ProviderTokensItem,
  now: Date,
): boolean {
  const written = kept_until - providerLifetimes.kept;
  const { tokenReserve, untoldToken } = providerLifetimes;
  if (expires_at === undefined)
    return sealed_refresh !== undefined && written + untoldToken <= epochSeconds(now);
  const reserve = Math.min(tokenReserve, (expires_at - written) / 2);
  return expires_at - epochSeconds(now) <= reserve;
}

const toToken = ({ access_token, expires_at, scope }: KeptToken): ProviderToken => ({
  access_token,
  token_type: 'Bearer',
  ...(expires_at !== undefined && { expires_at: new Date(expires_at * 1_000).toISOString() }),
  ...(scope !== undefined && { scope }),
});

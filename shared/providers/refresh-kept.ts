import { getItem } from '../db/batch-loader.ts';
import { type Change, changeItem, noChange } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { consumeRateLimit } from '../db/rate-limits.ts';
import { currentRequest } from '../db/request-context.ts';
import { removeItem, updateItem } from '../db/transaction.ts';
import { keptUntil, type ProviderTokensItem } from '../identity/identities/provider-tokens.ts';
import { ApiError } from '../model/errors.ts';
import { providerLifetimes } from '../model/provider-limits.ts';
import { RefreshRefused, refresh } from './refresh.ts';
import {
  type KeptToken,
  keptOf,
  type Owner,
  sealTokens,
  signInRequired,
  type TokenKeys,
} from './sealed-tokens.ts';

type Kept = {
  item: ProviderTokensItem;
  refresh_token: string;
  keys: TokenKeys;
  /** What the item has now, and the same if it is still good. */
  access: KeptToken | undefined;
  usable: KeptToken | undefined;
};

/**
 * Refreshes the stored tokens of an account. Only one request refreshes at a time: a provider with rotating refresh
 * tokens treats a second use as theft and revokes both. A concurrent request starts over and reads the result of the
 * first. If the process dies after the provider has answered, or its answer cannot be written, the old refresh token
 * may be used up: then the user must sign in at the provider again. A claim that reaches the table after its refresh
 * has failed blocks the account until the claim expires.
 */
export async function refreshKept(
  owner: Owner,
  { item, refresh_token, keys, access, usable }: Kept,
  now: Date,
): Promise<Change<KeptToken>> {
  const { pk, sk, uid, sealed_access, sealed_refresh } = item;
  /** Of the same user and with the same refresh token: not unlinked, and not signed in there anew. */
  const refreshTokenUnchanged = where('#uid = :uid AND #sealed_refresh = :old', {
    uid,
    old: sealed_refresh,
  });
  /**
   * Nor signed in there without a new refresh token, as at Google: its access token is good whatever comes of the old
   * one.
   */
  const accessTokenUnchanged = where('#sealed_access = :access', { access: sealed_access });
  const seconds = epochSeconds(now);
  const isFree = where('attribute_not_exists(#refreshing_until) OR #refreshing_until <= :seconds', {
    seconds,
  });
  const refreshing_until = seconds + providerLifetimes.refreshing;
  const mine = where('#refreshing_until = :mine', { mine: refreshing_until });
  // What was read: where the provider gives no new refresh token, a call that arrives late would hold what has come of
  // it.
  await updateItem(
    { pk, sk },
    { set: { refreshing_until } },
    and(refreshTokenUnchanged, accessTokenUnchanged, isFree),
  );
  try {
    // Not before: who waits for the refresh of another uses up none.
    await consumeRateLimit('providerTokenRefreshes', `${uid} ${owner.provider}`, now);
    const answer = await refresh(owner, refresh_token);
    // A scope that is not named is as before (RFC 6749, section 5.1).
    const { scope = access?.scope, ...tokens } = answer;
    const renewed = { ...tokens, ...(scope !== undefined && { scope }) };
    return changeItem<ProviderTokensItem>(
      {
        key: { pk, sk },
        changes: {
          set: { ...sealTokens(keys, owner, renewed), expires_at: keptUntil(now) },
          remove: ['refreshing_until'],
        },
        condition: refreshTokenUnchanged,
      },
      () => getItem<ProviderTokensItem>({ pk, sk }),
    ).as(() => keptOf(renewed));
  } catch (error) {
    const isRefused = error instanceof RefreshRefused;
    if (isRefused) await removeItem({ pk, sk }, and(refreshTokenUnchanged, accessTokenUnchanged));
    else
      await updateItem(
        { pk, sk },
        { remove: ['refreshing_until'] },
        and(refreshTokenUnchanged, mine),
      );
    if (usable) {
      currentRequest().survived = error;
      return noChange(usable);
    }
    if (isRefused) throw signInRequired(`the provider answered ${error.message}`);
    if (error instanceof ApiError && error.code === 'too_many_requests') throw error;
    throw new ApiError('temporarily_unavailable', { retryAfter: 5, cause: error });
  }
}

import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { BoundedMap } from '../../model/bounded-map.ts';
import { ApiError } from '../../model/errors.ts';
import { isObject } from '../../model/json-object.ts';
import { lifetimes } from '../../model/limits.ts';
import { maxCallTime } from '../../outbound/fetch.ts';
import { fetchDocument, lastingDocument } from '../../outbound/lasting-document.ts';

/**
 * Milliseconds to fetch a provider's keys in a request of 2.5 s: the rest is for the table. A request that comes back
 * from the provider has the time of every call to it.
 */
const fetchTime = 1_500;

/** A key set, and whether its provider has answered when it was last asked. */
type KeySet = { find: JWTVerifyGetKey; answers: () => boolean };

/** Those that this instance has used last. */
const keySets = new BoundedMap<KeySet>(100);

/**
 * Finds the key of a token in a provider's key set. The set is fetched if it is old or lacks the key. Throws
 * `identity_token_invalid`, or `temporarily_unavailable` if the keys cannot be fetched.
 *
 * @param lasting a provider that does not answer is not asked again at once, and its last keys stay valid for a day
 */
export function providerKeys(uri: string, { lasting = false } = {}): JWTVerifyGetKey {
  const name = `${lasting} ${uri}`;
  const keySet = keySets.get(name) ?? remoteKeys(uri, lasting);
  keySets.set(name, keySet);
  return async (header, token) => {
    try {
      return await keySet.find(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey && keySet.answers())
        throw unknownKey(
          'The provider has no key by the id and algorithm in the header of the token',
        );
      if (cause instanceof errors.JWKSMultipleMatchingKeys)
        throw unknownKey("The token does not say which of the provider's keys signed it");
      throw new ApiError('temporarily_unavailable', {
        detail: "The identity provider's keys cannot be read right now",
        retryAfter: 1,
        cause,
      });
    }
  };
}

function remoteKeys(uri: string, lasting: boolean): KeySet {
  const document = lastingDocument(requireKeys);
  const find = createRemoteJWKSet(new URL(uri), {
    timeoutDuration: lasting ? maxCallTime : fetchTime,
    cacheMaxAge: lifetimes.publicKeyCache * 1_000,
    // Invented key ids must not cause requests to the provider.
    cooldownDuration: lifetimes.publicKeyReread * 1_000,
    [customFetch]: async (url, init) =>
      new Response(
        lasting ? await document.read(url, init) : await fetchDocument(url, init, requireKeys),
      ),
  });
  return { find, answers: document.answers };
}

/** An empty set must not take the place of the keys at hand. */
function requireKeys({ keys }: Record<string, unknown>): void {
  if (!Array.isArray(keys) || !keys.some(isObject))
    throw new Error('The provider answered no keys');
}

const unknownKey = (detail: string) => new ApiError('identity_token_invalid', { detail });

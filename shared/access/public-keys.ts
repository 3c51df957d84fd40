import { createPublicKey, type KeyObject } from 'node:crypto';
import { exists } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { publicKeys } from '../db/key-prefixes.ts';
import { keys } from '../db/keys.ts';
import { query } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
import { createItem, ifConditionHolds, updateItem } from '../db/transaction.ts';
import { lifetimes } from '../model/limits.ts';
import type { Es256Public } from './es256-key.ts';

/** A public key with its id: RSA, for RS256, or P-256, for ES256. */
export type PublicKey = { kid: string; n: string; e: string } | Es256Public;

/** A published signing key. A key with `expires_at` is retired, but still verifies until then. */
export type PublicKeyItem = Item & PublicKey & { created_at: string; expires_at?: number };

type KeySet = Map<string, KeyObject>;
/** The last set that was read, and the reading that began last. */
let cached: { at: number; keys: KeySet } | undefined;
let reading: { at: number; found: Promise<KeySet> } | undefined;

/**
 * Reads every published key that has not expired, RSA keys first: a few, because there are two new keys a month and
 * each lives for about two.
 */
export async function listPublicKeys(): Promise<PublicKeyItem[]> {
  const { items } = await query<PublicKeyItem>({ partition: publicKeys, prefix: 'KEY' });
  const now = currentRequest().now.getTime() / 1_000;
  return (
    items
      .filter(({ expires_at }) => expires_at === undefined || expires_at > now)
      // A later release may keep something else there.
      .filter(({ sk, kid }) => [keys.publicKey(kid).sk, keys.publicEs256Key(kid).sk].includes(sk))
  );
}

/**
 * Seconds after its retirement for which a key is published to others: every token that it signed has expired. An
 * instance signs with it for as long as it caches the secret, and a token of who acts as a user lives longest.
 */
const publishedAfter = lifetimes.actingSession + lifetimes.secretCache + lifetimes.clockTolerance;
/** Seconds for which this service verifies with a retired key, because a refresh needs the last access token. */
const keptAfter = lifetimes.sessionIdle + lifetimes.accessToken + 86_400;

/**
 * Reads the key set for others: the keys that sign, will sign, or have live tokens. AWS's load balancers take no
 * more than ten.
 */
export async function listPublishedKeys(): Promise<PublicKeyItem[]> {
  const now = epochSeconds(currentRequest().now);
  return (await listPublicKeys()).filter(
    ({ expires_at = Infinity }) => expires_at > now + keptAfter - publishedAfter,
  );
}

/**
 * Finds a key of the service's own set by id, or undefined. The set is read every 5 minutes, and when the id is
 * unknown, because a new key is published before it signs; at most once per 10 s, so that invented ids do not cause
 * reads. A key of the last set waits for no reading, which may fail.
 */
export async function getPublicKey(kid: string): Promise<KeyObject | undefined> {
  const now = currentRequest().now.getTime();
  const isFresh = (at: number, seconds: number) => now - at < seconds * 1_000;
  if (cached && isFresh(cached.at, lifetimes.publicKeyCache)) {
    const key = cached.keys.get(kid);
    if (key) return key;
  }
  const { found } =
    reading && isFresh(reading.at, lifetimes.publicKeyReread) ? reading : startReading(now);
  return (await found).get(kid);
}

function startReading(at: number): { found: Promise<KeySet> } {
  const found = listPublicKeys().then(
    (items) =>
      new Map(
        items.map((item) => [item.kid, createPublicKey({ key: toJwk(item), format: 'jwk' })]),
      ),
  );
  const own = { at, found };
  reading = own;
  found.then(
    (set) => {
      cached = { at, keys: set };
    },
    () => {
      if (reading === own) reading = undefined;
    },
  );
  return own;
}

/** A published key as an element of a key set (RFC 7517). */
export function toJwk(key: PublicKey) {
  const { kid } = key;
  if ('n' in key) return { kty: 'RSA', use: 'sig', alg: 'RS256', kid, n: key.n, e: key.e } as const;
  const { x, y } = key;
  return { kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', kid, x, y } as const;
}

/** Publishes a key; repeating it changes nothing. */
export async function publishKey(key: PublicKey): Promise<void> {
  const created_at = currentRequest().now.toISOString();
  const place = 'n' in key ? keys.publicKey(key.kid) : keys.publicEs256Key(key.kid);
  await ifConditionHolds(createItem({ ...place, ...key, created_at }));
}

/**
 * Retires every other key: it expires when no live access token can be signed with it. The given keys do not expire.
 */
export async function retireKeysBut(kids: readonly string[]): Promise<void> {
  const now = epochSeconds(currentRequest().now);
  const expires_at = now + keptAfter;
  const published = await listPublicKeys();
  await Promise.all(
    published.map(({ pk, sk, kid }) =>
      updateItem(
        { pk, sk },
        kids.includes(kid) ? { remove: ['expires_at'] } : { setIfAbsent: { expires_at } },
        exists,
      ),
    ),
  );
}

import { createPublicKey, type KeyObject } from 'node:crypto';
import { where } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { query } from '../db/query.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys, publicKeys } from '../db/schema.ts';
import { createItem, ifConditionHolds, updateItem } from '../db/transaction.ts';
import { lifetimes } from '../model/limits.ts';

/** A published signing key. A key with `expires_at` is retired, but still verifies until then. */
export type PublicKeyItem = Item & {
  kid: string;
  n: string;
  e: string;
  created_at: string;
  expires_at?: number;
};

let cached: { at: number; found: Promise<Map<string, KeyObject>> } | undefined;

/**
 * Reads every published key that has not expired: a few, because there is one new key a month and each lives for about
 * two.
 */
export async function listPublicKeys(): Promise<PublicKeyItem[]> {
  const { items } = await query<PublicKeyItem>({ partition: publicKeys, prefix: 'KEY#' });
  const now = currentRequest().now.getTime() / 1_000;
  return items.filter(({ expires_at }) => expires_at === undefined || expires_at > now);
}

/**
 * Finds a key of the service's own set by id, or undefined. The set is read every 5 minutes, and when the id is
 * unknown, because a new key is published before it signs; at most once per 10 s, so that invented ids do not cause
 * reads.
 */
export async function getPublicKey(kid: string): Promise<KeyObject | undefined> {
  const now = currentRequest().now.getTime();
  const age = (seconds: number) => !cached || now - cached.at >= seconds * 1_000;
  if (age(lifetimes.publicKeyCache)) reread(now);
  const key = (await cached?.found)?.get(kid);
  if (key || !age(lifetimes.publicKeyReread)) return key;
  reread(now);
  return (await cached?.found)?.get(kid);
}

function reread(now: number): void {
  const found = listPublicKeys().then(
    (items) =>
      new Map(
        items.map(({ kid, n, e }) => [
          kid,
          createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }),
        ]),
      ),
  );
  const reading = { at: now, found };
  cached = reading;
  found.catch(() => {
    if (cached === reading) cached = undefined;
  });
}

/** Publishes a key; repeating it changes nothing. */
export async function publishKey(key: { kid: string; n: string; e: string }): Promise<void> {
  const created_at = currentRequest().now.toISOString();
  await ifConditionHolds(createItem({ ...keys.publicKey(key.kid), ...key, created_at }));
}

/**
 * Retires every other key: it expires when no live access token can be signed with it. The given keys do not expire.
 */
export async function retireKeysBut(kids: readonly string[]): Promise<void> {
  const now = epochSeconds(currentRequest().now);
  const expires_at = now + lifetimes.sessionIdle + lifetimes.accessToken + 86_400;
  const published = await listPublicKeys();
  await Promise.all(
    published.map(({ pk, sk, kid }) =>
      updateItem(
        { pk, sk },
        kids.includes(kid) ? { remove: ['expires_at'] } : { setIfAbsent: { expires_at } },
        where('attribute_exists(#pk)'),
      ),
    ),
  );
}

import { getItem } from '../db/batch-loader.ts';
import { assert, put, type Write, where } from '../db/change.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/schema.ts';

/** The password of a user: an item of its own, so that no index, list or copy of the user ever carries it. */
export type PasswordItem = Item & {
  uid: string;
  /** PHC string of argon2id. */
  hash: string;
  changed_at: string;
};

/** The password of a user, or undefined where there is none. */
export const getPassword = (uid: string): Promise<PasswordItem | undefined> =>
  getItem<PasswordItem>(keys.password(uid));

/** A password, not yet stored. */
export const newPassword = (uid: string, hash: string, now: Date): PasswordItem => ({
  ...keys.password(uid),
  uid,
  hash,
  changed_at: now.toISOString(),
});

/** Writes a password over whatever there was. */
export const putPassword = (item: PasswordItem): Write => put(item);

/** Writes a password over the one that was read, or fails as a stale read. */
export const replacePassword = (item: PasswordItem, before: PasswordItem): Write => ({
  kind: 'put',
  item,
  condition: passwordUnchanged(before),
});

/** Holds the rest of a transaction to the password that was read. */
export const samePassword = (item: PasswordItem): Write =>
  assert(keys.password(item.uid), passwordUnchanged(item));

const passwordUnchanged = ({ hash }: PasswordItem) =>
  where('#hash = :seen_hash', { seen_hash: hash });

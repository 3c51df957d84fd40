import { getItem } from '../../db/batch-loader.ts';
import { assert, put, type Write } from '../../db/change.ts';
import { where } from '../../db/condition.ts';
import type { Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';

/** The password of a user. A separate item, so that no index, list or profile copy contains it. */
export type PasswordItem = Item & {
  uid: string;
  /** argon2id in PHC string format, or an imported hash until the first sign-in (model/imported-hash.ts). */
  hash: string;
  changed_at: string;
};

/** The password of a user, or undefined. */
export const getPassword = (uid: string): Promise<PasswordItem | undefined> =>
  getItem<PasswordItem>(keys.password(uid));

/** A password, not yet stored. */
export const newPassword = (uid: string, hash: string, now: Date): PasswordItem => ({
  ...keys.password(uid),
  uid,
  hash,
  changed_at: now.toISOString(),
});

/** Replaces the password that was read. Fails if it changed. */
export const replacePassword = (item: PasswordItem, before: PasswordItem): Write =>
  put(item, passwordUnchanged(before));

/** Fails the transaction if the password changed since it was read. */
export const assertPasswordUnchanged = (item: PasswordItem): Write =>
  assert(keys.password(item.uid), passwordUnchanged(item));

const passwordUnchanged = ({ hash }: PasswordItem) =>
  where('#hash = :seen_hash', { seen_hash: hash });

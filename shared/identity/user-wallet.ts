import { and, ConditionFailed, where } from '../db/change.ts';
import { keys } from '../db/schema.ts';
import { updateItem } from '../db/transaction.ts';
import { env } from '../model/env.ts';
import { newUser, noWallet, type UserItem, userExists } from './users.ts';

/** The wallet of a user; none where the deployment has no extended public key. */
async function walletOf(uid: string): Promise<UserItem['wallet']> {
  const xpub = env.walletXpub();
  if (xpub === '') return noWallet;
  // The curve arithmetic is needed once for each user: a chunk of its own, not part of every cold start.
  const { assertDeployable, deriveAddress } = await import('./wallet.ts');
  assertDeployable(xpub, env.baseUrl());
  return { address: deriveAddress(xpub, uid), type: env.walletType() };
}

/** A new user, not yet stored, with a wallet: one who reads or signs in at once, as an invitee does not. */
export async function newUserWithWallet(...given: Parameters<typeof newUser>): Promise<UserItem> {
  const user = newUser(...given);
  return { ...user, wallet: await walletOf(user.uid) };
}

/**
 * Returns a user with a wallet. One who has none, because they were only invited so far or the deployment had no extended
 * public key, gets it in one write, before anybody sees the address: so it stays the same whatever key is configured
 * later. Of two requests at once, also with two keys, one decides for both. Throws `StaleReadError` where the user is deleted
 * meanwhile.
 */
export async function withWallet(user: UserItem): Promise<UserItem> {
  if (user.wallet.address !== noWallet.address) return user;
  const wallet = await walletOf(user.uid);
  if (wallet === noWallet) return user;
  try {
    // Another version, so that the stream brings it to the copies; nothing was done to the user that an event would tell.
    const given = await updateItem(
      keys.user(user.uid),
      { set: { wallet }, add: { version: 1 } },
      and(userExists, where('#wallet = :none', { none: noWallet })),
    );
    return given as UserItem;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const found = error.failed.item as UserItem | null | undefined;
    if (!found || found.deleted_at !== undefined) throw error;
    return found;
  }
}

import { and, where } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { ifConditionFails, updateItem } from '../../db/transaction.ts';
import { env, isThisMachine } from '../../model/env.ts';
import { newUser, noWallet } from '../users/new-user.ts';
import { type UserItem, userExists } from '../users/users.ts';

/** The wallet of a user. Empty if the deployment has no extended public key. */
async function walletOf(uid: string): Promise<UserItem['wallet']> {
  const xpub = env.walletXpub();
  if (xpub === '') return noWallet;
  // Loaded lazily: the curve arithmetic is needed once per user, not at every cold start.
  const { assertDeployable, deriveAddress } = await import('./wallet.ts');
  assertDeployable(xpub, isThisMachine(new URL(env.baseUrl()).hostname));
  return { address: deriveAddress(xpub, uid), type: env.walletType() };
}

/** A new user with a wallet, not yet stored. For users who sign in or are read immediately, which invitees are not. */
export async function newUserWithWallet(...input: Parameters<typeof newUser>): Promise<UserItem> {
  const user = newUser(...input);
  return { ...user, wallet: await walletOf(user.uid) };
}

/**
 * Returns the user with a wallet. If the user has none (they were only invited, or the deployment had no extended
 * public key), it is derived and stored before anybody sees the address, so that it never changes with the configured
 * key. Of two concurrent requests, even with different keys, one decides for both. Throws `StaleReadError` if the user
 * is deleted meanwhile.
 */
export async function withWallet(user: UserItem): Promise<UserItem> {
  if (user.wallet.address !== noWallet.address) return user;
  const wallet = await walletOf(user.uid);
  if (wallet === noWallet) return user;
  // The new version makes the stream refresh the profile copies. No event, because no one changed the user.
  const updating = updateItem<UserItem>(
    keys.user(user.uid),
    { set: { wallet }, add: { version: 1 } },
    and(userExists, where('#wallet = :none', { none: noWallet })),
  );
  return ifConditionFails(updating, ({ item }, error) => {
    const found = item as UserItem | null | undefined;
    if (!found || found.deleted_at !== undefined) throw error;
    return found;
  });
}

import { keys } from '#shared/db/keys.ts';
import { noWallet } from '#shared/identity/users/new-user.ts';
import type { Person, World } from '../world.ts';

type Send = (method: string, path: string, auth: string) => Promise<unknown>;

/** Reads a user without a wallet, from a time when the deployment derived none, by each function that then adds one. */
export async function useWallets(world: World, { uid, bearer }: Person, send: Send) {
  for (const [path, auth] of [
    [`/users/${uid}`, world.project.basic],
    ['/users/me', bearer],
  ] as const) {
    await world.table.update(keys.user(uid), { wallet: noWallet });
    await send('GET', path, auth);
  }
}

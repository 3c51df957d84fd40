import { sha256 } from '../../model/ids.ts';
import { kindOf, readHash } from '../../model/imported-hash.ts';
import { getUser } from '../users/users.ts';
import { type Kinds, readKinds, replaceKinds } from './imported-kinds.ts';
import { isOwnHash } from './password-hash.ts';
import { getPassword } from './passwords.ts';

/**
 * How a kind of imported hash is dropped once no user has one, so that a wrong password costs the project one
 * verification less again. First all kinds are retired: sign-ins still verify them, and an import must record one again
 * before it uses it. Once no import is under way that read the kinds before, all users are counted. Only a kind that
 * none of them has and that is still retired is dropped: so no user is left whose hash is of a kind that is not
 * recorded.
 */

/** A kind, for the operator. Named by a digest, because Firebase's contains a key. */
export type ShownKind = { id: string; algorithm: string };

/** How often imports may record kinds meanwhile. */
const attempts = 5;

const idOf = (kind: string): string => sha256(kind).slice(0, 12);

function toShownKind(kind: string): ShownKind {
  const read = readHash(kind);
  return { id: idOf(kind), algorithm: 'hash' in read ? read.hash.algorithm : 'unknown' };
}

/** Retires all kinds of a project, and returns them. */
export async function retireHashKinds(
  project_id: string,
): Promise<{ project_id: string; kinds: ShownKind[] }> {
  const { kinds } = await change(project_id, ({ kinds: all }) => ({ kinds: all, retired: all }));
  return { project_id, kinds: kinds.map(toShownKind) };
}

/** How many of some users have a hash of each kind, by its id. Users of other projects are left out. */
export async function countHashKinds(
  project_id: string,
  uids: readonly string[],
): Promise<{ project_id: string; users: Record<string, number> }> {
  const users: Record<string, number> = {};
  const hashes = await Promise.all(
    [...new Set(uids)].map(async (uid) => {
      const [user, password] = await Promise.all([getUser(project_id, uid), getPassword(uid)]);
      return user && password?.hash;
    }),
  );
  for (const hash of hashes) {
    if (hash === undefined || isOwnHash(hash) || 'problem' in readHash(hash)) continue;
    const id = idOf(kindOf(hash));
    users[id] = (users[id] ?? 0) + 1;
  }
  return { project_id, users };
}

/** Drops those of the kinds that are still retired, and returns the ids of what was dropped. */
export async function dropHashKinds(
  project_id: string,
  ids: readonly string[],
): Promise<{ project_id: string; dropped: string[] }> {
  let dropped: string[] = [];
  await change(project_id, ({ kinds, retired }) => {
    const goes = (kind: string) => retired.includes(kind) && ids.includes(idOf(kind));
    dropped = kinds.filter(goes).map(idOf);
    const stays = (kind: string) => !goes(kind);
    return { kinds: kinds.filter(stays), retired: retired.filter(stays) };
  });
  return { project_id, dropped };
}

/** Changes the kinds of a project, if it has any. */
async function change(project_id: string, next: (seen: Kinds) => Kinds): Promise<Kinds> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const seen = await readKinds(project_id);
    if (seen.kinds.length === 0) return seen;
    const after = next(seen);
    if (await replaceKinds(project_id, seen, after)) return after;
  }
  throw new Error(`Imports into ${project_id} keep recording kinds of hashes. Try again.`);
}

import { getItem } from '../db/batch-loader.ts';
import { ConditionFailed, put } from '../db/change.ts';
import { where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import { normalizeEmail } from '../model/email.ts';
import { derive } from '../model/hmac.ts';
import { kindOf } from '../model/imported-hash.ts';
import { lifetimes, limits } from '../model/limits.ts';

/**
 * The kinds of password hashes that a project has imported: one hash of no password for each algorithm and each set of
 * parameters. A sign-in with a wrong password also verifies one of them, so that an imported account, one of ours and
 * none take the same time.
 */
type KindsItem = Item & { kinds: string[] };

const cache = new Map<string, { at: number; kinds: Promise<readonly string[]> }>();

/** The kinds of a project, at most a minute old. A project that imported none costs the same. */
function getKinds(project_id: string, maxAge: number): Promise<readonly string[]> {
  const now = currentRequest().now.getTime();
  const cached = cache.get(project_id);
  if (cached && now - cached.at < maxAge * 1_000) return cached.kinds;
  const reading = { at: now, kinds: readKinds(project_id) };
  cache.set(project_id, reading);
  reading.kinds.catch(() => {
    if (cache.get(project_id) === reading) cache.delete(project_id);
  });
  return reading.kinds;
}

const readKinds = async (project_id: string): Promise<readonly string[]> =>
  (await getItem<KindsItem>(keys.importedHashes(project_id)))?.kinds ?? [];

/**
 * The hash that a wrong password of an e-mail is compared with in addition to ours; undefined if the project has
 * imported none. Always the same for an e-mail, and chosen with a key that only the service has.
 */
export async function getDecoy(
  { project_id, cursor_key }: { project_id: string; cursor_key: string },
  email: string,
): Promise<string | undefined> {
  const kinds = await getKinds(project_id, lifetimes.projectCache);
  if (kinds.length === 0) return undefined;
  const name = `imported hash ${normalizeEmail(email)}`;
  const [chosen = 0] = derive(name, Buffer.from(cursor_key));
  return kinds[chosen % kinds.length];
}

/** Whether the project may import a hash. Its kind is recorded if `wanted`: the user is created after that. */
export type AdmitKind = (hash: string, wanted: boolean) => Promise<boolean>;

/**
 * Admits the hashes of one request, one after the other: those of the kinds that the project has, and of new ones while
 * there is room.
 */
export function admitKinds(project_id: string, { dry_run }: { dry_run: boolean }): AdmitKind {
  let earlier: Promise<unknown> = Promise.resolve();
  // A dry run only remembers the kinds that it would have recorded.
  const remembered = new Set<string>();
  const admit = async (kind: string, wanted: boolean): Promise<boolean> => {
    let known = await getKinds(project_id, lifetimes.projectCache);
    for (;;) {
      const all = new Set([...known, ...remembered]);
      if (all.has(kind)) return true;
      if (all.size >= limits.importedHashKinds) return false;
      if (!wanted) return true;
      if (dry_run) {
        remembered.add(kind);
        return true;
      }
      if (await recordKind(project_id, kind, known)) return true;
      // Another request recorded some.
      known = await readKinds(project_id);
    }
  };
  return (hash, wanted) => {
    const admitted = earlier.then(() => admit(kindOf(hash), wanted));
    earlier = admitted.catch(() => undefined);
    return admitted;
  };
}

/** Adds a kind to those that were read. False if they changed meanwhile. */
async function recordKind(
  project_id: string,
  kind: string,
  known: readonly string[],
): Promise<boolean> {
  const seen = where('attribute_not_exists(#kinds) OR #kinds = :seen', { seen: known });
  const kinds = [...known, kind];
  try {
    await transact({ kinds: put({ ...keys.importedHashes(project_id), kinds }, seen) });
    cache.delete(project_id);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
}

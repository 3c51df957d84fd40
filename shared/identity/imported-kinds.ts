import { getItem } from '../db/batch-loader.ts';
import { ConditionFailed, put } from '../db/change.ts';
import { where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import { keys } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import { normalizeEmail } from '../model/email.ts';
import { derive } from '../model/hmac.ts';
import { withoutSecrets } from '../model/imported-hash.ts';
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

/**
 * Records the kinds of hashes that are about to be imported; the users are created after that. Returns the kinds that
 * the project has now: one that is missing is too many.
 */
export async function recordKinds(
  project_id: string,
  hashes: readonly string[],
  { dry_run }: { dry_run: boolean },
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const wanted = [...new Set(hashes.map(withoutSecrets))];
  let known = await getKinds(project_id, lifetimes.projectCache);
  while (wanted.some((kind) => !known.includes(kind)) && known.length < limits.importedHashKinds) {
    const kinds = [...new Set([...known, ...wanted])].slice(0, limits.importedHashKinds);
    if (dry_run) return new Set(kinds);
    try {
      const seen = where('attribute_not_exists(#kinds) OR #kinds = :seen', { seen: known });
      await transact({ kinds: put({ ...keys.importedHashes(project_id), kinds }, seen) });
      cache.delete(project_id);
      known = kinds;
    } catch (error) {
      // Another request recorded some.
      if (!(error instanceof ConditionFailed)) throw error;
      known = await readKinds(project_id);
    }
  }
  return new Set(known);
}

import { getItem } from '../../db/batch-loader.ts';
import { put } from '../../db/change.ts';
import { and, where } from '../../db/condition.ts';
import type { Item } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { currentRequest } from '../../db/request-context.ts';
import { ifConditionHolds, transact } from '../../db/transaction.ts';
import { normalizeEmail } from '../../model/email.ts';
import { derive } from '../../model/hmac.ts';
import { kindOf } from '../../model/imported-hash.ts';
import { lifetimes, limits } from '../../model/limits.ts';
import { ReadCache } from '../../model/read-cache.ts';

/**
 * The kinds of password hashes that a project has imported: one hash of no password for each algorithm and each set of
 * parameters. A sign-in with a wrong password also verifies one of them, so that an imported account, one of ours and
 * none take the same time.
 */
type KindsItem = Item & Partial<Kinds>;

/** `retired`: those of the kinds that an import has to record again before it uses them (drop-hash-kinds.ts). */
export type Kinds = { kinds: readonly string[]; retired: readonly string[] };

const cache = new ReadCache<Kinds>(1_000);

/** The kinds of a project, at most a minute old. A project that imported none costs the same. */
const getKinds = (project_id: string): Promise<Kinds> =>
  cache.read(project_id, currentRequest().now, lifetimes.projectCache, () => readKinds(project_id));

/** The kinds of a project now. */
export async function readKinds(project_id: string): Promise<Kinds> {
  const { kinds = [], retired = [] } =
    (await getItem<KindsItem>(keys.importedHashes(project_id))) ?? {};
  return { kinds, retired };
}

/**
 * The hash that a wrong password of an e-mail is compared with in addition to ours; undefined if the project has
 * imported none. Always the same for an e-mail, and chosen with a key that only the service has.
 */
export async function getDecoy(
  { project_id, cursor_key }: { project_id: string; cursor_key: string },
  email: string,
): Promise<string | undefined> {
  const { kinds } = await getKinds(project_id);
  if (kinds.length === 0) return undefined;
  const name = `imported hash ${normalizeEmail(email)}`;
  const [chosen = 0] = derive(name, cursor_key);
  return kinds[chosen % kinds.length];
}

/** Whether the project may import a hash. Its kind is recorded if `record`: the user is created after that. */
export type AdmitKind = (hash: string, record: boolean) => Promise<boolean>;

/**
 * Admits the hashes of one request, one after the other: those of the kinds that the project has, and of new ones while
 * there is room.
 */
export function admitKinds(project_id: string, { dry_run }: { dry_run: boolean }): AdmitKind {
  let earlier: Promise<unknown> = Promise.resolve();
  // A dry run only remembers the kinds that it would have recorded.
  const remembered = new Set<string>();
  const admit = async (kind: string, record: boolean): Promise<boolean> => {
    let current = await getKinds(project_id);
    for (;;) {
      const { kinds, retired } = current;
      if (remembered.has(kind) || (kinds.includes(kind) && !retired.includes(kind))) return true;
      if (new Set([...kinds, ...remembered, kind]).size > limits.importedHashKinds) return false;
      if (!record) return true;
      if (dry_run) {
        remembered.add(kind);
        return true;
      }
      const next = {
        kinds: kinds.includes(kind) ? kinds : [...kinds, kind],
        retired: retired.filter((each) => each !== kind),
      };
      if (await replaceKinds(project_id, current, next)) return true;
      // Another request recorded some.
      current = await readKinds(project_id);
    }
  };
  return (hash, record) => {
    const admitted = earlier.then(() => admit(kindOf(hash), record));
    earlier = admitted.catch(() => undefined);
    return admitted;
  };
}

/** Replaces the kinds that were read. False if they changed meanwhile. */
export async function replaceKinds(
  project_id: string,
  { kinds: seen, retired }: Kinds,
  next: Kinds,
): Promise<boolean> {
  const listUnchanged = (name: string, value: readonly string[]) => {
    const equal = `#${name} = :seen_${name}`;
    const expression = value.length > 0 ? equal : `attribute_not_exists(#${name}) OR ${equal}`;
    return where(expression, { [`seen_${name}`]: value });
  };
  const kindsUnchanged = and(listUnchanged('kinds', seen), listUnchanged('retired', retired));
  const kinds = put({ ...keys.importedHashes(project_id), ...next }, kindsUnchanged);
  const isReplaced = await ifConditionHolds(transact({ kinds }));
  if (isReplaced) cache.delete(project_id);
  return isReplaced;
}

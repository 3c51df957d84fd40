import type { Listed } from '../db/index-attributes.ts';
import type { Item } from '../db/item.ts';
import { type Key, keys } from '../db/schema.ts';
import { replaceTerms } from './find.ts';
import { type Person, termsOfPerson, termsOfWorkspace } from './terms.ts';

/** What the directory of a project has of a user or workspace. */
type Entry = { listed: Listed; project_id: string; id: string; month: string; terms: string[] };

/**
 * Follows a change of a user or workspace: its terms, and the month that it was created in. Either image may be
 * undefined. May be repeated.
 */
export async function refreshDirectory(
  before: Item | undefined,
  after: Item | undefined,
): Promise<void> {
  const [was, is] = [before, after].map((image) => image && entryOf(image));
  const entry = is ?? was;
  if (!entry) return;
  const { listed, project_id, id, month } = entry;
  const months = is && !was ? [keys.directoryMonth(listed, project_id, month)] : [];
  const unnoted = months.filter((key) => !noted.has(nameOf(key)));
  await replaceTerms(
    (term) => keys.directoryTerm(listed, project_id, term, id),
    was?.terms ?? [],
    is?.terms ?? [],
    unnoted,
  );
  if (noted.size > maxNoted) noted.clear();
  for (const key of unnoted) noted.add(nameOf(key));
}

/** Months that this instance has noted already, which saves a write for each creation. */
const noted = new Set<string>();
const maxNoted = 1_000;
const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

/** Undefined for what is deleted, or was not indexed yet: the attributes of the index say what is listed. */
function entryOf(item: Item): Entry | undefined {
  const { project_id, by_member_pk, by_member_sk } = item as Item & Partial<Record<string, string>>;
  if (!project_id || !by_member_pk || !by_member_sk) return undefined;
  const month = by_member_sk.slice(0, 7);
  const id = by_member_sk.slice(by_member_sk.indexOf('#') + 1);
  return item.sk === keys.user('').sk
    ? { listed: 'USERS', project_id, id, month, terms: termsOfPerson(item as Item & Person) }
    : {
        listed: 'WORKSPACES',
        project_id,
        id,
        month,
        terms: termsOfWorkspace(item as Item & { name: string }),
      };
}

import { writeBatch } from '../db/batch-write.ts';
import type { Item } from '../db/item.ts';
import { userSortKey } from '../db/key-prefixes.ts';
import { type Key, keys, type Listed } from '../db/keys.ts';
import { sharedBeginnings, type TermItem } from './find-page.ts';
import { type Person, termsOfPerson, termsOfWorkspace } from './terms.ts';

/** What the directory of a project has of a user or workspace. */
type Entry = {
  listed: Listed;
  project_id: string;
  id: string;
  created_at: string;
  terms: string[];
};

/**
 * Follows a change of a user or workspace, of which either image may be undefined: its place in the list, the month of
 * its creation, and its terms. May be repeated.
 */
export async function refreshDirectory(
  before: Item | undefined,
  after: Item | undefined,
): Promise<void> {
  const [was, is] = [before, after].map((image) => image && entryOf(image));
  const entry = is ?? was;
  if (!entry) return;
  const { listed, project_id, id, created_at } = entry;
  const place = keys.directoryEntry(listed, project_id, created_at, id);
  const month = keys.directoryMonth(listed, project_id, created_at.slice(0, 7));
  const keyOf = (term: string) => keys.directoryTerm(listed, project_id, term, id);
  const itemsOf = (each: Entry | undefined) => termItems(each?.terms ?? [], keyOf);
  const [old, now] = [itemsOf(was), itemsOf(is)];
  const puts = [...now].filter(([term, { shared }]) => {
    const stored = old.get(term);
    return !stored || stored.shared !== shared;
  });
  const gone = [...old].filter(([term]) => !now.has(term));
  const added = is && !was ? [place, ...(noted.has(nameOf(month)) ? [] : [month])] : [];
  const written = [...added, ...puts.map(([, item]) => item)];
  await writeBatch(written, [...(was && !is ? [place] : []), ...gone.map(([, item]) => item)]);
  if (added.length > 0) note(month);
}

const termItems = (terms: readonly string[], keyOf: (term: string) => Key): Map<string, TermItem> =>
  new Map(
    [...sharedBeginnings(terms)].map(([term, shared]) => [
      term,
      { ...keyOf(term), ...(shared > 0 && { shared }) },
    ]),
  );

/** Months that this instance has noted already, which saves a write for each creation. */
const noted = new Set<string>();
const maxNoted = 1_000;
const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

function note(month: Key): void {
  if (noted.size >= maxNoted) noted.clear();
  noted.add(nameOf(month));
}

type UserImage = Item & Person & Record<'project_id' | 'uid' | 'created_at', string>;
type WorkspaceImage = Item & Record<'project_id' | 'workspace_id' | 'name' | 'created_at', string>;

/** Undefined for what is deleted. */
function entryOf(item: Item): Entry | undefined {
  if (item['deleted_at'] !== undefined) return undefined;
  if (item.sk === userSortKey) {
    const { project_id, uid: id, created_at, ...person } = item as UserImage;
    return { listed: 'USERS', project_id, id, created_at, terms: termsOfPerson(person) };
  }
  const { project_id, workspace_id: id, created_at, name } = item as WorkspaceImage;
  return { listed: 'WORKSPACES', project_id, id, created_at, terms: termsOfWorkspace({ name }) };
}

import { byEmail } from '../shared/db/index-attributes.ts';
import { keys } from '../shared/db/keys.ts';
import { sharedBeginnings } from '../shared/directory/find-page.ts';
import { type Person, termsOfPerson } from '../shared/directory/terms.ts';
import type { ItemFile } from './engine-file.ts';
import type { Table } from './growth-seed.ts';

/** Months over which the users were created, until now. */
const months = 24;
/** Users of one transaction: it bounds the memory of this process. */
const round = 5_000;

/** The name of the `i`th user: of a million, a thousand share each first name and a thousand each last name. */
const nameOf = (i: number): string =>
  `First${String(i % 1_000).padStart(3, '0')} Last${String(Math.floor(i / 1_000)).padStart(4, '0')}`;
export const emailOf = (i: number): string => `user${i}@example.com`;

/** A uid; a project has at most 10^12. */
const uidOf = (i: number): string => `0192f0c1-0000-7000-8000-${String(i).padStart(12, '0')}`;

/**
 * Writes users from one number to another as the API and then the stream's function would have stored them: the user,
 * the guard of the e-mail, the list entry, the month and the search terms.
 */
export async function addUsers(
  { table, file }: { table: Table; file: ItemFile },
  project_id: string,
  [from, to]: readonly [number, number],
  total: number,
  now: number,
): Promise<number> {
  let written = 0;
  const model = await modelOf(table, project_id);
  for (let first = from; first < to; first += round) {
    const items = Array.from({ length: Math.min(round, to - first) }, (_, k) =>
      itemsOf(model, project_id, first + k, total, now),
    ).flat();
    file.putAll(items);
    written += items.length;
    if (process.stderr.isTTY || first % (10 * round) < round)
      process.stderr.write(`${Math.min(first + round, to).toLocaleString('en-US')} users  `);
  }
  return written;
}

type Item = Record<string, unknown>;

/** The first user of the project, created by the API. */
async function modelOf(table: Table, project_id: string): Promise<Item> {
  const guard = await table.get(keys.emailGuard(project_id, 'model@example.com'));
  return (await table.get(keys.user(String(guard?.['uid'])))) ?? {};
}

function itemsOf(model: Item, project_id: string, i: number, total: number, now: number) {
  const uid = uidOf(i);
  const person = { email: emailOf(i), display_name: nameOf(i) } satisfies Person;
  const span = months * 30 * 86_400_000;
  const created_at = new Date(now - span + Math.floor((i / total) * span)).toISOString();
  const of = { ...person, uid, created_at, modified_at: created_at };
  const terms = [...sharedBeginnings(termsOfPerson(person))].map(([term, shared]) => ({
    ...keys.directoryTerm('USERS', project_id, term, uid),
    ...(shared > 0 && { shared }),
  }));
  return [
    { ...model, ...keys.user(uid), ...byEmail(project_id, person.email), ...of },
    { ...keys.emailGuard(project_id, person.email), uid },
    keys.directoryEntry('USERS', project_id, created_at, uid),
    ...(i % 1_000 === 0 ? [keys.directoryMonth('USERS', project_id, created_at.slice(0, 7))] : []),
    ...terms,
  ];
}

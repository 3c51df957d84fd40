import { type Entry, type History, uidOf, type Violation } from '../history.ts';
import type { Register } from './register.ts';
import type { Kind, Registers } from './registers.ts';
import { list, placesIn, text, usersIn } from './view.ts';

const rule = 'pages without gaps or repeats';

/** Milliseconds by which an index and the stream job that depends on it may lag. */
const lateness = 5_000;
/**
 * The same for lists of a whole project: their function is killed and retried, which takes about 30 s on two busy
 * cores.
 */
const latenessOfDirectory = 60_000;

/** The values that a list shows, and how long after a change it may show the earlier state. */
type Sort = { kind: Kind; present: string; id: string; late: number };

/** Whether a list covers a whole project. */
const isOfProject = ({ name, as, query }: Entry): boolean =>
  as.kind === 'project' &&
  (name === 'users.list' || (name === 'workspaces.list' && query?.['user_id'] === undefined));

function sortOf(entry: Entry): Sort | undefined {
  const { name, query } = entry;
  const membership = { kind: 'membership', present: 'in' } as const;
  const invitation = { kind: 'invitation', present: 'pending' } as const;
  const live = { present: 'live', late: latenessOfDirectory } as const;
  if (isOfProject(entry))
    return name === 'users.list'
      ? { ...live, kind: 'user', id: 'uid' }
      : { ...live, kind: 'workspace', id: 'workspace_id' };
  switch (name) {
    case 'members.list':
      return query?.['status'] === 'accepted'
        ? { ...membership, id: 'uid', late: 0 }
        : { ...invitation, id: 'uid', late: 0 };
    case 'invitations.list':
      return { ...invitation, id: 'user_id', late: 0 };
    case 'workspaces.list':
    case 'workspaces.listJoined':
      return { ...membership, id: 'workspace_id', late: lateness };
    default:
      return undefined;
  }
}

/**
 * A complete walk through a list must show nothing twice, everything that existed all the time, and nothing that never
 * existed during it.
 */
export function pagesAreWhole({ entries }: History, registers: Registers): Violation[] {
  const walks = Map.groupBy(
    entries.filter(({ walk }) => walk !== undefined),
    ({ walk }) => walk,
  );
  const projects = projectsOf(entries);
  return [...walks.values()].flatMap((pages) => ofWalk(pages, registers, projects));
}

/** The projects of users and workspaces by id, as far as responses to backends show them. */
function projectsOf(entries: readonly Entry[]): Map<string, string> {
  const projects = new Map<string, string>();
  for (const entry of entries) {
    if (entry.as.kind !== 'project') continue;
    const ids = [
      ...usersIn(entry).map((user) => text(user, 'uid')),
      ...placesIn(entry).map((place) => text(place, 'workspace_id')),
    ];
    for (const id of ids) projects.set(id, entry.as.project_id);
  }
  return projects;
}

function ofWalk(
  unordered: readonly Entry[],
  registers: Registers,
  projects: ReadonlyMap<string, string>,
): Violation[] {
  const pages = unordered.toSorted((a, b) => a.began - b.began);
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || pages.some(({ status }) => status !== 200)) return [];
  const entries = [first.id, last.id];
  const idName = sortOf(first)?.id ?? 'user_id';
  const shown = pages.flatMap(({ answer }) =>
    list(answer, 'result').map((each) => text(each, idName)),
  );
  if (new Set(shown).size < shown.length)
    return [{ rule, what: `${first.name} showed something twice`, entries }];
  if (last.next !== undefined)
    return [{ rule, what: `${first.name} went on for ${pages.length} pages`, entries }];
  const sort = sortOf(first);
  if (!sort) return [];
  const missing = isOfProject(first)
    ? missingFromProject(first, last, sort, new Set(shown), registers, projects)
    : missingFrom(first, last, sort, new Set(shown), registers);
  return missing === undefined
    ? []
    : [{ rule, what: `${first.name} left out ${missing}, which was there`, entries }];
}

/** Entries that certainly existed from before the first page until after the last, but were not shown. */
function missingFrom(
  first: Entry,
  last: Entry,
  { kind, present, late }: Sort,
  shown: ReadonlySet<string>,
  registers: Registers,
): string | undefined {
  const from = first.began - late;
  const wasAlways = (register: Register, value: string) => register.held(value, from, last.ended);
  const workspace_id = first.params?.['workspace_id'];
  if (workspace_id !== undefined) {
    for (const [name, register] of registers.those(kind, workspace_id)) {
      const uid = name.split(' ')[1] ?? '';
      if (!shown.has(uid) && wasAlways(register, present)) return uid;
    }
    return undefined;
  }
  const { as, query } = first;
  const uid = as.kind === 'project' ? String(query?.['user_id']) : uidOf(as);
  for (const [name, register] of registers.those(kind)) {
    const [id = '', of] = name.split(' ');
    if (of !== uid || shown.has(id) || !wasAlways(register, present)) continue;
    // Possibly deleted workspaces and suspended memberships need not be shown.
    const lives = registers.of('workspace', id);
    const active = registers.of('suspended', id, uid);
    if (
      wasAlways(lives, 'live') &&
      !lives.mayHaveBeen('gone', last.ended) &&
      wasAlways(active, 'false')
    )
      return id;
  }
  return undefined;
}

/** The same for a list of a whole project. */
function missingFromProject(
  first: Entry,
  last: Entry,
  { kind, present, late }: Sort,
  shown: ReadonlySet<string>,
  registers: Registers,
  projects: ReadonlyMap<string, string>,
): string | undefined {
  for (const [id, register] of registers.those(kind))
    if (
      projects.get(id) === first.as.project_id &&
      !shown.has(id) &&
      register.held(present, first.began - late, last.ended) &&
      !register.mayHaveBeen('gone', last.ended)
    )
      return id;
  return undefined;
}

import type { Answer, Entry, History, Violation } from '../history.ts';
import { invitationsIn, membersIn, placesIn, text, usersIn } from './view.ts';

type Seen = { created_at: string; modified_at: string; began: number; ended: number; id: number };

/** Creation times must never change, and a later read must not show an older modification. */
export function timesGoForward({ entries, scan }: History): Violation[] {
  const seen = new Map<string, Seen[]>();
  const note = (
    name: string,
    of: Answer,
    { began, ended, id }: Omit<Seen, 'created_at' | 'modified_at'>,
  ) => {
    const times = { created_at: text(of, 'created_at'), modified_at: text(of, 'modified_at') };
    const known = { ...times, began, ended, id };
    const others = seen.get(name);
    if (others) others.push(known);
    else seen.set(name, [known]);
  };
  for (const entry of entries) for (const [name, of] of timed(entry)) note(name, of, entry);
  for (const item of scan?.items ?? []) {
    const at = { began: scan?.at ?? 0, ended: scan?.at ?? 0, id: 0 };
    if (item['deleted_at'] !== undefined && item.sk === 'USER') continue;
    if (item.sk === 'USER') note(`user ${String(item['uid'])}`, item, at);
    if (item.sk === 'WS') note(`workspace ${String(item['workspace_id'])}`, item, at);
    if (/^(?:MEMBER|INVITE)#/.test(item.sk)) note(`member ${String(item['member_id'])}`, item, at);
  }
  return [...seen].flatMap(([name, all]) => [...sameBirth(name, all), ...noStepBack(name, all)]);
}

function timed(entry: Entry): [string, Answer][] {
  return [
    ...usersIn(entry).map((user): [string, Answer] => [`user ${text(user, 'uid')}`, user]),
    ...placesIn(entry)
      // Its response is built before the write; the next one shows later modifications.
      .filter(() => entry.name !== 'workspaces.listInvited')
      .map((place): [string, Answer] => [`workspace ${text(place, 'workspace_id')}`, place]),
    ...[...membersIn(entry), ...invitationsIn(entry)].map((member): [string, Answer] => [
      `member ${text(member, 'member_id')}`,
      member,
    ]),
  ];
}

function sameBirth(name: string, all: readonly Seen[]): Violation[] {
  const [first] = all;
  const other = all.find(({ created_at }) => created_at !== first?.created_at);
  if (!first || !other) return [];
  const what = `The ${name} was created at ${first.created_at} and at ${other.created_at}`;
  return [{ rule: 'created_at constant', what, entries: idsOf(first, other) }];
}

function noStepBack(name: string, all: readonly Seen[]): Violation[] {
  const byEnd = all.toSorted((a, b) => a.ended - b.ended);
  let next = 0;
  let latest: Seen | undefined;
  for (const seen of all.toSorted((a, b) => a.began - b.began)) {
    for (;;) {
      const before = byEnd[next];
      if (!before || before.ended >= seen.began) break;
      if (!latest || before.modified_at > latest.modified_at) latest = before;
      next += 1;
    }
    if (!latest || latest.modified_at <= seen.modified_at) continue;
    const what = `The ${name} was modified at ${latest.modified_at} and then at ${seen.modified_at}`;
    return [{ rule: 'modified_at never back', what, entries: idsOf(latest, seen) }];
  }
  return [];
}

const idsOf = (...seen: readonly Seen[]): number[] =>
  seen.map(({ id }) => id).filter((id) => id > 0);

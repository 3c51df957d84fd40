import { type Entry, type History, outcomeOf, type Violation } from '../history.ts';
import { text } from './view.ts';

/** Rules about how often a request was executed, by the table at the end. */

/** A request with an Idempotency-Key must be executed once, however often it was sent. */
export function oneEffectOfAKey({ entries, scan }: History): Violation[] {
  if (!scan) return [];
  const named = Map.groupBy(
    scan.items.filter(({ sk }) => sk === 'WS'),
    ({ name }) => String(name),
  );
  const keyed = entries.filter(
    ({ name, key }) => name === 'workspaces.create' && key !== undefined,
  );
  const first = new Map(keyed.map((entry) => [text(entry.body, 'name'), entry]));
  return [...first].flatMap(([name, { id }]) => {
    const made = named.get(name)?.length ?? 0;
    if (made <= 1) return [];
    const what = `One Idempotency-Key made ${made} workspaces`;
    return [{ rule: 'same Idempotency-Key, equal response and one change', what, entries: [id] }];
  });
}

/**
 * A join link must count each user who joined by it once: at least the acknowledged ones, at most the possible ones.
 */
export function linksCountWhoJoined({ entries, scan }: History): Violation[] {
  if (!scan) return [];
  const tokens = new Map<string, string>();
  for (const { name, answer } of entries)
    if (name === 'joinLinks.create') tokens.set(text(answer, 'token'), text(answer, 'link_id'));
  const uses = Map.groupBy(
    entries.filter((entry) => entry.name === 'members.join' && outcomeOf(entry) !== 'refused'),
    ({ body }) => tokens.get(text(body, 'join_token')) ?? '',
  );
  return scan.items
    .filter(({ sk }) => sk.startsWith('LINK#'))
    .flatMap(({ link_id, use_count }) => {
      const all = uses.get(String(link_id)) ?? [];
      // Two responses to one Idempotency-Key are about one joining user.
      const joined = all.filter(({ status }) => status === 201);
      const least = new Set(joined.map(({ key, id }) => key ?? id)).size;
      const most = least + all.filter((entry) => outcomeOf(entry) === 'unknown').length;
      const counted = Number(use_count);
      if (counted >= least && counted <= most) return [];
      const what = `${String(link_id)} counts ${counted} who joined, but ${least} to ${most} did`;
      return [{ rule: 'counts equal items', what, entries: all.map(({ id }) => id) }];
    });
}

/** No session or workspace may exist that only a rejected request would have created. */
export function nothingRefusedIsThere({ entries, scan }: History): Violation[] {
  if (!scan) return [];
  const rule = 'no refused write visible';
  const asked = new Map<string, Entry[]>();
  const starts = new Map<string, number>();
  for (const entry of entries) {
    const named = text(entry.body, 'name');
    if (entry.name === 'workspaces.create') asked.set(named, [...(asked.get(named) ?? []), entry]);
    const uid = text(entry.body, 'uid');
    if (entry.name === 'sessions.create' && outcomeOf(entry) !== 'refused')
      starts.set(uid, (starts.get(uid) ?? 0) + 1);
  }
  const sessions = Map.groupBy(
    scan.items.filter(({ sk }) => sk.startsWith('SESSION#')),
    ({ uid }) => String(uid),
  );
  const made = scan.items.filter(({ sk }) => sk === 'WS');
  return [
    ...[...sessions].flatMap(([uid, all]) =>
      all.length > (starts.get(uid) ?? 0)
        ? [{ rule, what: `${uid} has ${all.length} sessions, more than were started`, entries: [] }]
        : [],
    ),
    ...made.flatMap(({ name }) => {
      const askedFor = asked.get(String(name)) ?? [];
      const ids = askedFor.map(({ id }) => id);
      return askedFor.length > 0 && askedFor.every((entry) => outcomeOf(entry) === 'refused')
        ? [{ rule, what: `The workspace ${String(name)} was refused`, entries: ids }]
        : [];
    }),
  ];
}

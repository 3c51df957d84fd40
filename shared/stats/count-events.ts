import type { Event } from '../model/events.ts';
import { dayOf, monthOf } from './days.ts';

/** What a project has now. */
export type Totals = Partial<Record<'users' | 'workspaces' | 'members', number>>;

/** Counters of one day, by their attributes. */
export type DayCounts = Record<string, number>;

/** What a log head remembers of its user or workspace, so that everything is counted once. */
export type Counted = {
  /** What it adds to the totals, as far as they have it. */
  counted?: Totals;
  /** The last days (UTC) on which the user was active, oldest first. */
  active_days?: string[];
};

/** What some events change. */
export type Counts = {
  totals: Totals;
  days: Map<string, DayCounts>;
  /** What the log heads remember from now on, by partition. */
  counted: Map<string, Counted>;
};

/** A log that advances, with what its item adds to the totals from now on; undefined if no image shows it. */
type Advance = { partition: string; totals: Totals | undefined; seen: Counted | undefined };

/**
 * Active days that are remembered of a user. An activity that is recorded later than the last eight of them counts
 * nobody.
 */
const rememberedDays = 8;

/** What new events, and the states of their items, change in the counters of their project. */
export function countEvents(
  events: readonly { partition: string; event: Event }[],
  advances: readonly Advance[],
): Counts {
  const counts = noCounts();
  for (const { partition, totals, seen } of advances) {
    addDifference(counts.totals, seen?.counted, totals);
    const { counted = totals, active_days } = { ...seen, ...(totals && { counted: totals }) };
    counts.counted.set(partition, {
      ...(counted && { counted }),
      ...(active_days && { active_days }),
    });
  }
  for (const { partition, event } of events) {
    const day = dayOf(event.time);
    const counter = counterOf(event);
    if (counter !== undefined) increment(counts, day, counter);
    if (isSignIn(event)) countActivity(counts, partition, day);
  }
  return counts;
}

export const noCounts = (): Counts => ({ totals: {}, days: new Map(), counted: new Map() });

/** Counts a user as active on a day, and in its month, unless that is counted already. */
export function countActivity(counts: Counts, partition: string, day: string): void {
  const counted = counts.counted.get(partition) ?? {};
  const { active_days: days = [] } = counted;
  const [oldest = ''] = days;
  if (days.includes(day) || (days.length === rememberedDays && day < oldest)) return;
  increment(counts, day, activeUsers);
  // The sum of this counter over the days of a month is the number of its active users.
  if (!days.some((each) => monthOf(each) === monthOf(day))) increment(counts, day, firstInMonth);
  const active_days = [...days, day].toSorted().slice(-rememberedDays);
  counts.counted.set(partition, { ...counted, active_days });
}

/** Adds what changes from one contribution to the totals to another. */
export function addDifference(sum: Totals, before: Totals = {}, after: Totals = before): void {
  for (const name of ['users', 'workspaces', 'members'] as const) {
    const difference = (after[name] ?? 0) - (before[name] ?? 0);
    if (difference !== 0) sum[name] = (sum[name] ?? 0) + difference;
  }
}

function increment({ days }: Counts, day: string, counter: string): void {
  const counts = days.get(day) ?? {};
  counts[counter] = (counts[counter] ?? 0) + 1;
  days.set(day, counts);
}

export const activeUsers = 'active_users';
export const firstInMonth = 'first_active_in_month';

/** Whether a user signed in. Who acts as a user is not that user's activity. */
const isSignIn = ({ type, data }: Pick<Event, 'type' | 'data'>): boolean =>
  type === 'session.started' && data['impersonator'] === undefined;

/** The counter that an event increments. Undefined if it is not counted. */
function counterOf({ type, data }: Event): string | undefined {
  if (type === 'user.created') return 'new_users';
  if (isSignIn({ type, data })) return signInCounter(String(data['method'] ?? 'project'));
  if (type === 'workspace.invitation.created') return 'invitations_created';
  if (type === 'workspace.member.joined' && data['via'] === 'invitation')
    return 'invitations_accepted';
  return undefined;
}

export const lockoutCounter = 'lockouts';

/** Prefixes of the counters that there is one of for each method. */
const prefixes = { sign_ins: 'sign_ins_', failures: 'failures_' } as const;

/** The name of an attribute in an expression has no hyphen; the name of a method has no capital. */
const counterName = (kind: keyof typeof prefixes, method: string): string =>
  prefixes[kind] + method.replaceAll('-', 'H');
const signInCounter = (method: string): string => counterName('sign_ins', method);
export const failureCounter = (method: string): string => counterName('failures', method);

/** The counters of one kind, by method. */
export function byMethod(kind: keyof typeof prefixes, counts: DayCounts): Record<string, number> {
  const prefix = prefixes[kind];
  return Object.fromEntries(
    Object.entries(counts)
      .filter(([counter]) => counter.startsWith(prefix))
      .map(([counter, count]) => [counter.slice(prefix.length).replaceAll('H', '-'), count]),
  );
}

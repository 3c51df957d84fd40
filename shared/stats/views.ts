import { activeUsers, byMethod, firstInMonth, lockoutCounter } from './count-events.ts';
import type { Day, ProjectTotals } from './counters.ts';
import { dayOf, monthOf } from './days.ts';

/** The statistics of a project in the form of the API. Days before the first counted one are left out. */
export function toStatistics(
  totals: ProjectTotals | undefined,
  counted: readonly Day[],
  days: readonly string[],
) {
  if (!totals) return { days: [], months: [] };
  const { counted_since, complete, users = 0, workspaces = 0, members = 0 } = totals;
  const countedDays = days.filter((day) => day >= dayOf(counted_since));
  return {
    counted_since,
    ...(complete && { totals: { users, workspaces, members } }),
    days: countedDays.map((day) =>
      toDay(day, counted.find((each) => each.day === day)?.counts ?? {}),
    ),
    months: [...new Set(countedDays.map(monthOf))].map((month) => ({
      month,
      active_users: counted
        .filter(({ day }) => monthOf(day) === month)
        .reduce((sum, { counts }) => sum + (counts[firstInMonth] ?? 0), 0),
    })),
  };
}

function toDay(date: string, counts: Day['counts']) {
  const of = (counter: string) => counts[counter] ?? 0;
  return {
    date,
    new_users: of('new_users'),
    active_users: of(activeUsers),
    sign_ins: byMethod('sign_ins', counts),
    sign_in_failures: byMethod('failures', counts),
    lockouts: of(lockoutCounter),
    invitations_created: of('invitations_created'),
    invitations_accepted: of('invitations_accepted'),
  };
}

import { stats } from '#shared/contract/stats.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { limits } from '#shared/model/limits.ts';
import { readCounters } from '#shared/stats/counters.ts';
import { firstOfMonth, lastDays } from '#shared/stats/days.ts';
import { toStatistics } from '#shared/stats/views.ts';

export const handler = endpoint(stats.get, async ({ query, caller, now }) => {
  const days = lastDays(query.days ?? limits.statsDays.default, now);
  // From the first of the month on: the active users of a month are the sum over its days.
  const first = firstOfMonth(days[0] ?? '');
  const { totals, days: counted } = await readCounters(caller.project_id, first);
  return toStatistics(totals, counted, days);
});

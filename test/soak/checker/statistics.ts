import { isDeepStrictEqual } from 'node:util';
import { countersIn, recountFeed } from '../../support/recount-statistics.ts';
import type { History, Violation } from '../history.ts';

/** When nothing is in flight, the statistics of each project must equal its feed, and the totals its items. */
export function statisticsAreExact({ scan, projects }: History): Violation[] {
  if (!scan) return [];
  return projects.flatMap((project_id) => {
    const of = (pk: string) => scan.items.filter((item) => item.pk === `${pk}#${project_id}`);
    const [counters, feed] = [of('STATS'), of('FEED')];
    if (feed.length === 0) return [];
    const ours = scan.items.filter((item) => item['project_id'] === project_id);
    const live = (sk: string) =>
      ours.filter((item) => item.sk === sk && item['deleted_at'] === undefined);
    const places = new Set(live('WS').map(({ pk }) => pk));
    const members = ours.filter(({ pk, sk }) => sk.startsWith('MEMBER#') && places.has(pk));
    const there = { users: live('USER').length, workspaces: places.size, members: members.length };
    const [counted, recounted] = [countersIn(counters), recountFeed(feed)];
    // A run over midnight has session renewals on the second day, which are not events.
    const overMidnight = Object.keys(counted.days).length > 1;
    const differ = (what: string, a: object, b: object) =>
      isDeepStrictEqual(a, b)
        ? []
        : [`${project_id} counts ${JSON.stringify(a)} where ${what} ${JSON.stringify(b)}`];
    return [
      ...differ('there are', counted.totals, there),
      ...(overMidnight ? [] : differ('its feed tells', counted.days, recounted.days)),
    ].map((what) => ({ rule: 'statistics equal items and events', what, entries: [] }));
  });
}

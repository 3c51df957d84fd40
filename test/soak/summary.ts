import { byNumber, countBy, percent } from '../model/summary.ts';
import { type Entry, type History, outcomeOf, type Violation } from './history.ts';
import type { Outcome } from './segment.ts';

/** The maximum number of violations shown per rule, and the maximum characters of each request. */
const max = { violations: 3, text: 240 };

const summed = (all: readonly Record<string, number>[]): Record<string, number> => {
  const sum: Record<string, number> = {};
  for (const each of all)
    for (const [name, value] of Object.entries(each)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
};

/** The figures of a run. */
export function summarize(outcomes: readonly Outcome[], seed: number): string {
  const entries = outcomes.flatMap(({ history }) => history.entries);
  const seconds = outcomes.reduce((sum, each) => sum + each.seconds, 0);
  const counts = summed(outcomes.map((each) => each.counts));
  // Not counting clients that disconnected, which is no failure of the service.
  const unknown = entries.filter((entry) => !entry.cut && outcomeOf(entry) === 'unknown').length;
  const replayed = entries.filter((entry) => entry.replayed).length;
  const times = entries.map(({ began, ended }) => ended - began).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  const faults = summed(outcomes.map((each) => each.faults));
  const injected = Object.values(faults).reduce((sum, one) => sum + one, 0);
  return [
    `${entries.length} requests, seed ${seed}, ${(entries.length / seconds).toFixed(0)} a second`,
    `calls to DynamoDB ${counts['calls']}, faulted ${injected} (${counts['ofStream']} of who follows the stream), true conflicts ${counts['conflicts']}, ` +
      `reads of a late index ${counts['staleReads']}, engine kills ${counts['kills']}`,
    `faults: ${byNumber(Object.entries(faults))}`,
    `statuses: ${byNumber(countBy(entries, ({ status }) => String(status ?? 'cut')))}`,
    `unknown outcomes ${unknown} (${percent(unknown, entries.length)}), cut by clients ${entries.filter(({ cut }) => cut).length}, ` +
      `answered as before ${replayed}`,
    `milliseconds: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${Math.round(times.at(-1) ?? 0)}; ` +
      `later than 1 s ${times.filter((time) => time > 1_000).length}, than 3 s ${times.filter((time) => time > 3_000).length}`,
    `violations ${outcomes.reduce((sum, { violations }) => sum + violations.length, 0)}`,
  ].join('\n');
}

/** The first violations of each rule, with the requests that show them. */
export function describe(violations: readonly Violation[], { entries }: History): string {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return [...Map.groupBy(violations, ({ rule }) => rule)]
    .flatMap(([rule, all]) => [
      `${rule}: ${all.length}`,
      ...all.slice(0, max.violations).flatMap(({ what, entries: ids }) => [
        `  ${what}`,
        ...ids.flatMap((id) => {
          const entry = byId.get(id);
          return entry ? [`    ${line(entry)}`] : [];
        }),
      ]),
    ])
    .join('\n');
}

function line({ id, name, as, params, query, body, began, ended, status, text }: Entry): string {
  const who =
    as.kind === 'project' ? as.project_id : `${as.kind} ${as.kind === 'key' ? as.key_id : as.uid}`;
  const asked = JSON.stringify({ ...params, ...query, ...body });
  const when = `${began.toFixed(0)}-${ended.toFixed(0)} ms`;
  return `#${id} ${when} ${name} by ${who} ${asked}: ${status ?? 'cut'} ${text?.slice(0, max.text)}`;
}

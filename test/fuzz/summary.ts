import { byNumber, percent } from '../model/summary.ts';
import { type Report, unreached } from './fuzz.ts';
import type { Memory } from './service.ts';

type Run = {
  seed: string;
  samples: readonly { at: number; memory: Memory }[];
  grown: boolean;
};

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** The report of a run. */
export function summary(report: Report, { seed, samples, grown }: Run): string {
  const { requests, time, statuses, operations, byKeys, findings } = report;
  const generated = [...operations.values()].reduce((sum, each) => sum + each.requests, 0);
  const missing = unreached(report);
  const least = [...operations]
    .map(([name, { requests: sent, successes }]) => ({ name, sent, successes }))
    .toSorted((a, b) => a.successes / a.sent - b.successes / b.sent);
  const total = [...operations.values()].reduce((sum, each) => sum + each.successes, 0);
  return [
    `${requests} requests, ${generated} of them generated, seed ${seed}, ${Math.round((generated * 1_000) / time)} generated requests/s`,
    `statuses: ${byNumber(statuses)}`,
    `operations: ${operations.size}, ${operations.size - missing.length} with successes; ${total} generated requests succeeded (${percent(total, generated, 1)})`,
    `with API keys: ${byKeys.user} of users and ${byKeys.workspace} of workspaces succeeded`,
    ...least.map(
      ({ name, sent, successes }) =>
        `  ${name.padEnd(32)}${String(sent).padStart(7)} requests ${String(successes).padStart(7)} successes`,
    ),
    ...(missing.length > 0 ? [`never succeeded: ${missing.join(', ')}`] : []),
    'memory of the service after a collection:',
    ...samples.map(
      ({ at, memory: { rss, heap, external } }) =>
        `  after ${String(at).padStart(7)}: heap ${megabytes(heap)}, external ${megabytes(external)}, resident ${megabytes(rss)}`,
    ),
    ...(grown ? ['The heap has grown by more than it may.'] : []),
    `wrong answers: ${findings.length}`,
    ...findings.map(
      ({ operation, flaws, request, smallest }) =>
        `\n${operation}: ${flaws.join('; ')}\n  as sent: ${request}\n  smallest: ${smallest}`,
    ),
  ].join('\n');
}

import type { Memory } from './memory.ts';

/** What was in use so many minutes after the beginning. */
export type Sample = Memory & { minute: number };

/** Megabytes by which the heap may grow in the second half; in the first one caches and outboxes fill. */
const mostGrowth = 8;

/** Half of the requests, 99 of 100, and the slowest, in milliseconds, of each kind and of all. */
export function latencies(times: ReadonlyMap<string, readonly number[]>): string {
  const all = [...times.values()].flat();
  const rows = [...times, ['all', all] as const].map(([name, list]) => {
    const sorted = list.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]?.toFixed(1);
    return `| ${name} | ${list.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`;
  });
  return [
    '| step | requests | p50, ms | p99, ms | max, ms |',
    '|---|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

/** The memory at each quarter, its slope over the second half, and whether that is flat. */
export function growth(samples: readonly Sample[]): { text: string; flat: boolean } {
  const half = samples.slice(Math.floor(samples.length / 2));
  const span = (half.at(-1)?.minute ?? 0) - (half[0]?.minute ?? 0);
  const slope = (of: (memory: Memory) => number) => slopeOf(half, of) / megabyte;
  const grown = slope(inHeap) * span;
  const rows = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const {
      minute = 0,
      rss = 0,
      heap = 0,
      external = 0,
    } = samples[Math.floor((samples.length - 1) * part)] ?? {};
    const cells = [rss, heap, external].map((bytes) => (bytes / megabyte).toFixed(1));
    return `| ${minute.toFixed(1)} | ${cells.join(' | ')} |`;
  });
  const text = [
    '| minute | RSS, MB | heap in use, MB | external, MB |',
    '|--:|--:|--:|--:|',
    ...rows,
    '',
    `The longest stall of the service: ${Math.round(Math.max(...samples.map(({ stall }) => stall)))} ms.`,
    `Second half: heap ${slope(inHeap).toFixed(2)} MB a minute, RSS ${slope(({ rss }) => rss).toFixed(2)} MB a minute.`,
  ].join('\n');
  return { text, flat: grown <= mostGrowth };
}

const megabyte = 2 ** 20;
const inHeap = ({ heap }: Memory) => heap;

/** By least squares, a minute. */
function slopeOf(samples: readonly Sample[], of: (memory: Memory) => number): number {
  const count = samples.length || 1;
  const x = samples.reduce((sum, { minute }) => sum + minute, 0) / count;
  const y = samples.reduce((sum, sample) => sum + of(sample), 0) / count;
  const up = samples.reduce((sum, sample) => sum + (sample.minute - x) * (of(sample) - y), 0);
  const down = samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return down === 0 ? 0 : up / down;
}

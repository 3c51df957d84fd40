import type { LogAdvance, Numbered } from './append.ts';
import type { StreamedEvent } from './from-stream.ts';
import type { LogHead } from './log.ts';

/** How many of the last events of a log are remembered for deduplication, by the random end of their ids. */
const dedupeWindow = 40;
const tailOf = (id: string): string => id.slice(-12);

/** How many missing events of a log are remembered. */
const maxMissing = 100;

/**
 * Determines which events are new to their logs, their numbers, and how the logs advance. An event may be on an item
 * twice: an update that is retried after a lost response is not recognised if another write of the item came between.
 * It is recorded once. Events skipped by later ones are remembered as missing, because an operator may restart the
 * stream from an earlier point.
 */
export function assignSequence(
  streamed: readonly StreamedEvent[],
  heads: ReadonlyMap<string, LogHead | undefined>,
): { events: Numbered[]; steps: LogAdvance[]; gaps: Error[] } {
  const steps = new Map<string, LogAdvance>();
  const events: Numbered[] = [];
  const gaps: Error[] = [];
  for (const { partition, count, event, deleted, totals } of streamed) {
    const step = steps.get(partition) ?? beginOf(partition, heads.get(partition));
    const late = step.missing.includes(count);
    if (count <= step.told && !late) continue;
    const between = range(step.told + 1, count - 1);
    if (between.length > 0)
      gaps.push(
        new Error(`${between.length} events of ${partition} before ${event.id} never came.`),
      );
    const tail = tailOf(event.id);
    const again = step.recent.includes(tail);
    const number = step.number + (again ? 0 : 1);
    steps.set(partition, {
      ...step,
      told: Math.max(step.told, count),
      number,
      recent: again ? step.recent : [...step.recent, tail].slice(-dedupeWindow),
      missing: [...step.missing, ...between].filter((each) => each !== count).slice(-maxMissing),
      deleted,
      // A late event shows an item that has changed since.
      totals: late ? step.totals : totals,
    });
    if (!again) events.push({ partition, number, event });
  }
  return { events, steps: [...steps.values()], gaps };
}

function beginOf(partition: string, seen: LogHead | undefined): LogAdvance {
  const { told = 0, number = 0, recent = [], missing = [] } = seen ?? {};
  return { partition, seen, told, number, recent, missing, deleted: false, totals: undefined };
}

/** The integers of a range; of a long one only the last `maxMissing`. */
function range(first: number, last: number): number[] {
  const begin = Math.max(first, last - maxMissing + 1);
  return Array.from({ length: Math.max(0, last - begin + 1) }, (_, i) => begin + i);
}

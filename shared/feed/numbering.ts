import type { LogHead, LogStep, Numbered } from '../table/event-log.ts';
import type { Told } from './told.ts';

/** How many of the last events of a log are remembered, by the random end of their ids. */
const remembered = 40;
const tailOf = (id: string): string => id.slice(-12);

/**
 * Which events are new to their logs, under which numbers, and how far the logs then go. What was told twice is
 * recorded once: an update whose answer was lost is repeated, and nothing recognises it if another write of the item
 * came between. What never came leaves its number free.
 */
export function numberNew(
  told: readonly Told[],
  heads: ReadonlyMap<string, LogHead | undefined>,
): { events: Numbered[]; steps: LogStep[]; gaps: Error[] } {
  const steps = new Map<string, LogStep>();
  const events: Numbered[] = [];
  const gaps: Error[] = [];
  for (const { partition, count, event, deleted } of told) {
    const head = heads.get(partition);
    const before = steps.get(partition) ?? {
      partition,
      seen: head,
      told: head?.told ?? 0,
      number: head?.number ?? 0,
      recent: head?.recent ?? [],
      deleted,
    };
    if (count <= before.told) continue;
    const missing = count - before.told - 1;
    if (missing > 0)
      gaps.push(new Error(`${missing} events of ${partition} before ${event.id} never came.`));
    const tail = tailOf(event.id);
    const again = before.recent.includes(tail);
    const number = before.number + missing + (again ? 0 : 1);
    const recent = again ? before.recent : [...before.recent, tail].slice(-remembered);
    steps.set(partition, { ...before, told: count, number, recent, deleted });
    if (!again) events.push({ partition, number, event });
  }
  return { events, steps: [...steps.values()], gaps };
}

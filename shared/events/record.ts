import type { DynamoDBRecord } from 'aws-lambda';
import { retryWhileStale } from '../db/retry-stale.ts';
import { pack } from '../model/pack.ts';
import { appendEvents } from './append.ts';
import { eventsIn, type StreamedEvent } from './from-stream.ts';
import { getFeedHead, getLogHead } from './log.ts';
import { publish } from './publish.ts';
import { assignSequence } from './sequencing.ts';

/** Events of one PutEvents call and one transaction: the limits of PutEvents. */
const maxEvents = { elements: 10, bytes: 200_000 };

/** The result of recording the events of a batch of records. */
export type Recording = {
  /** How many records, from the first, are completely recorded. */
  recorded: number;
  /** Why the next one is not. */
  cause?: unknown;
};

/**
 * Publishes the events of stream records, then appends them to the logs and feeds. Each event is published at least
 * once and recorded exactly once, even if this is interrupted and run again.
 *
 * @param onGap called for events that never arrived, because the stream skipped or lost them
 */
export async function recordEvents(
  records: readonly DynamoDBRecord[],
  onGap: (gap: Error) => void,
): Promise<Recording> {
  const places = records.flatMap((record, place) =>
    eventsIn(record).map((streamed) => ({ ...streamed, place })),
  );
  let recorded = records.length;
  let cause: unknown;
  // A feed that fails must not block the feeds of other projects.
  const ofProjects = Map.groupBy(places, ({ event }) => event.project_id);
  for (const [project_id, streamed] of ofProjects)
    for (const chunk of pack(streamed, maxEvents, bytesOf))
      try {
        await recordChunk(project_id, chunk, onGap);
      } catch (error) {
        const place = chunk[0]?.place ?? 0;
        if (place < recorded) [recorded, cause] = [place, error];
        break;
      }
  return cause === undefined ? { recorded } : { recorded, cause };
}

const bytesOf = ({ event }: StreamedEvent): number => Buffer.byteLength(JSON.stringify(event));

async function recordChunk(
  project_id: string,
  streamed: readonly StreamedEvent[],
  onGap: (gap: Error) => void,
): Promise<void> {
  const published = new Set<string>();
  // All invocations of a project append to one feed.
  await retryWhileStale(async () => {
    const partitions = [...new Set(streamed.map(({ partition }) => partition))];
    const [feed, ...found] = await Promise.all([
      getFeedHead(project_id),
      ...partitions.map(getLogHead),
    ]);
    const heads = new Map(partitions.map((partition, i) => [partition, found[i]]));
    const { events, steps, gaps } = assignSequence(streamed, heads);
    if (steps.length === 0) return;
    const fresh = events.map(({ event }) => event).filter(({ id }) => !published.has(id));
    await publish(fresh);
    for (const { id } of fresh) published.add(id);
    await appendEvents(project_id, events, steps, feed);
    gaps.forEach(onGap);
  });
}

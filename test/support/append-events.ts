import { randomUUID } from 'node:crypto';
import { eventPrefix } from '#shared/db/key-prefixes.ts';
import { type Key, keys } from '#shared/db/keys.ts';
import { chainHash } from '#shared/events/hash-chain.ts';
import { canonicalJson } from '#shared/model/canonical-json.ts';
import type { Actor, Event, EventDraft } from '#shared/model/events.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { fromSource } from '../../local/load.ts';
import { queued } from './queued.ts';
import { type Change, failedOf, streamRecord } from './stream-record.ts';
import type { World } from './world.ts';

type Item = Record<string, unknown>;

/** Writes items with events without any endpoint, and invokes the function that consumes the stream. */
export async function eventWriter(world: World) {
  const { runInRequest } = await import('#shared/db/request-context.ts');
  const { withEvents } = await import('#shared/db/outbox.ts');
  const { where } = await import('#shared/db/condition.ts');
  const { updateItem } = await import('#shared/db/transaction.ts');
  const handler = await fromSource('stream.consume');
  world.permissions.useStream('stream.consume');

  /** Updates an item with pending events in one write and returns the change. */
  async function writeEvents(key: Key, facts: EventDraft[], set: Item = {}): Promise<Change> {
    return runInRequest(randomUUID(), 10_000, async (request) => {
      request.actor = { kind: 'key', id: 'k1' } satisfies Actor;
      const before = await world.table.get(key);
      await updateItem(key, withEvents({ set }, ...facts), where('attribute_exists(#pk)'));
      return { before, after: await world.table.get(key) };
    });
  }

  /**
   * Passes changes to the function. Returns the messages that it reported as failed, by the index of their first
   * change.
   */
  async function consume(
    changes: readonly Change[],
    { time = 60_000, size = changes.length }: { time?: number; size?: number } = {},
  ): Promise<string[]> {
    const Records = changes.map(streamRecord);
    const event = {
      Records: Array.from({ length: Math.ceil(Records.length / size) }, (_, i) =>
        queued(Records.slice(i * size, (i + 1) * size)),
      ).flatMap((message) => message.Records),
    };
    return failedOf(await invoke('stream.consume', handler, event, time));
  }

  /** The logs of some items, and the feed of their project. */
  async function recorded(project_id: string, partitions: readonly string[]) {
    const logs = await Promise.all(partitions.map((each) => world.table.query(`LOG#${each}`)));
    return { logs, feed: await world.table.query(keys.feedHead(project_id).pk) };
  }
  return { writeEvents, consume, recorded };
}

/** The events of a log or a feed as stored. */
export const eventsIn = (items: readonly Item[]): Event[] =>
  entriesIn(items).map(({ event }) => JSON.parse(String(event)) as Event);

const entriesIn = (items: readonly Item[]) =>
  items.filter(({ sk }) => String(sk).startsWith(eventPrefix));

/** The sequence numbers of the events of a log or a feed as stored. */
export const placesIn = (items: readonly Item[]): number[] =>
  entriesIn(items).map(({ sk }) => Number(String(sk).slice(eventPrefix.length)));

/** The defects of a stored log: a gap, a hash, a link of the chain. */
export function flawsIn(log: readonly Item[]): string[] {
  let previous = '';
  return entriesIn(log).flatMap((entry, i) => {
    const { event, hash, previous_hash } = entry as Record<string, string>;
    const number = i + 1;
    const parsed: unknown = JSON.parse(event ?? '');
    const right = chainHash({ number, event: parsed, previous_hash: previous });
    const flaws = [
      ...(placesIn([entry])[0] === number ? [] : [`${i}: number`]),
      ...(canonicalJson(parsed) === event ? [] : [`${i}: not canonical`]),
      ...(previous_hash === previous ? [] : [`${i}: chain`]),
      ...(hash === right ? [] : [`${i}: hash`]),
    ];
    previous = right;
    return flaws;
  });
}

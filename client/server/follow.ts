import { ApiError, isPassing } from '../api-error.ts';
import type { Client } from '../client.ts';
import type { Event, LogEntry } from '../generated/api.ts';
import { sleep } from '../pause.ts';

/**
 * An event of the project, as in the feed and in webhooks. New types and fields may come: ignore what you do not know.
 */
export type FeedEvent = Event;

/** Where a follower keeps its position: a row, a file, an item. */
export type CursorStore = {
  /** The position that was saved last; undefined starts at the oldest event that is kept. */
  load(): Promise<string | number | undefined>;
  /**
   * Saves the position. Leave it out if you save `Batch.position` yourself, in the transaction that handles the events.
   * @param from the position before: save only if it is still there, and two followers never move it backwards
   */
  save?(position: string, from: string): Promise<void>;
};

export type FollowOptions = {
  cursor: CursorStore;
  /** Follows the log of this workspace, instead of the feed of the whole project. */
  workspace_id?: string | undefined;
  /** Ends the following. A batch that is being handled is still saved. */
  signal?: AbortSignal | undefined;
  /** Milliseconds between two looks when there is nothing new; default 1000. */
  interval?: number | undefined;
  /** Maximum number of events in a batch; default 100, at most 100. */
  limit?: number | undefined;
  /** Hears of each failure that is waited out: 429, 502 to 504, or no answer. */
  onFailure?: ((failure: unknown) => void) | undefined;
};

/** Events in their order; mostly at least one. */
export type Batch = {
  events: FeedEvent[];
  /** The position behind them. */
  position: string;
  /**
   * How many events before these are no longer kept; absent if none. Read anew what you keep a copy of, with
   * `users.search` and `members.list`, before you handle the batch.
   */
  expired?: number;
};

type EventPage = {
  result: (Event | LogEntry)[];
  next_cursor: string;
  more: boolean;
  expired?: number | undefined;
};

/** Milliseconds, of all tries, until a page that has not come is asked for again. */
const deadline = 30_000;
/** Milliseconds: no pause after a failure is longer, unless the service asks for it. */
const longestPause = 60_000;
/** A timer of more milliseconds ends at once. */
const longestTimer = 2 ** 31 - 1;

/** See `Backend.events.follow`. */
export async function* follow(
  { events: api }: Pick<Client, 'events'>,
  options: FollowOptions,
): AsyncGenerator<Batch, void, undefined> {
  const { cursor, workspace_id, signal, interval = 1_000, limit = 100, onFailure } = options;
  // It would fail with each try, and a follower waits failures out.
  if (workspace_id === '') throw new TypeError('workspace_id must name a workspace.');
  let position = String((await cursor.load()) ?? 0);
  const isAborted = () => signal?.aborted === true;
  let failures = 0;

  async function read(): Promise<EventPage> {
    const query = { after: position, limit };
    const timeout = AbortSignal.timeout(deadline);
    const call = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
    const { body } =
      workspace_id === undefined
        ? await api.list(query, call)
        : await api.listOfWorkspace({ ...query, workspace_id }, call);
    const page: EventPage | undefined = body;
    // JSON of somebody in between.
    if (typeof page?.next_cursor !== 'string')
      throw new TypeError('The answer is no page of events.');
    return page;
  }

  while (!isAborted()) {
    let page: EventPage;
    try {
      page = await read();
    } catch (failure) {
      if (isAborted()) return;
      if (!passes(failure)) throw failure;
      onFailure?.(failure);
      failures += 1;
      const backoff = Math.max(interval, 10) * 2 ** Math.min(failures, 13);
      await pause(pauseMilliseconds(failure, backoff), signal);
      continue;
    }
    failures = 0;
    const { result, next_cursor, more, expired } = page;
    const hasMoved = next_cursor !== position;
    if (hasMoved) {
      const events = result.map((each) => ('event' in each ? each.event : each));
      yield { events, position: next_cursor, ...(expired !== undefined && { expired }) };
      // A caller that asks for more has handled these events. One that leaves the loop, or fails in it, gets them
      // again.
      await cursor.save?.(next_cursor, position);
      position = next_cursor;
    }
    // A page may end before an event that is just being written: then there is more, but not yet.
    if (!more || !hasMoved) await pause(interval, signal);
  }
}

/** Whether a failure ends by itself: the service has too much to do, is away, or cannot be reached. */
const passes = (failure: unknown): boolean => !(failure instanceof ApiError) || isPassing(failure);

/** Milliseconds: as long as the service asks for, or up to the usual ones; jitter keeps followers apart. */
function pauseMilliseconds(failure: unknown, backoff: number): number {
  const { retryAfter = 0 } = failure instanceof ApiError ? failure : {};
  return Math.max(retryAfter * 1_000, Math.min(backoff, longestPause) * (0.5 + Math.random() / 2));
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (!signal?.aborted) await sleep(Math.min(milliseconds, longestTimer), signal).catch(() => {});
}

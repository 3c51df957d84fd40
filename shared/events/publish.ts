import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { isBusy, pause } from '../db/client.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { type Event, eventSource } from '../model/events.ts';

const bus = new EventBridgeClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
});

/**
 * Publishes at most 10 events with at most 256 KB together (the limits of PutEvents). Retries those that the bus
 * rejected, and a call that it throttled or failed as a whole. Throws if some are still rejected; then the others may
 * be published twice, and the events of the project wait until their message comes again.
 */
export async function publish(events: readonly Event[]): Promise<void> {
  const { signal } = currentRequest();
  let left = events.map((event) => toEntry(event));
  for (let attempt = 0; left.length > 0; attempt += 1) {
    let Entries: PutEventsResultEntry[];
    try {
      ({ Entries = [] } = await bus.send(new PutEventsCommand({ Entries: left }), {
        abortSignal: signal,
      }));
    } catch (error) {
      if (signal.aborted || !isBusy(error)) throw error;
      await pause(attempt, error);
      continue;
    }
    const refused = Entries.find(({ ErrorCode }) => ErrorCode !== undefined);
    left = left.filter((_, i) => Entries[i]?.EventId === undefined);
    if (left.length > 0) await pause(attempt, new Error(`The bus refused: ${refused?.ErrorCode}`));
  }
}

function toEntry(event: Event): PutEventsRequestEntry {
  return {
    EventBusName: env.eventBus(),
    Source: eventSource,
    DetailType: event.type,
    Detail: JSON.stringify(event),
  };
}

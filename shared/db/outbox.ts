import type { Actor, EventDraft, PendingEvent } from '../model/events.ts';
import { newEventId } from '../model/ids.ts';
import type { Changes } from './change.ts';
import type { Item } from './item.ts';
import { currentRequest } from './request-context.ts';

/**
 * The transactional outbox. An item that changes (a user, a workspace or a mailbox) stores its events in the same
 * write, with what was done and by whom. So no event is lost if the write took effect, and none is published if it did
 * not. The table's stream delivers them.
 */
export type HasPendingEvents = {
  /** Events of the last write. */
  events?: PendingEvent[];
  /** Number of events of the item so far. It numbers the events without gaps, in the order of the writes. */
  event_count?: number;
};

/** Adds events to the changes of a user or workspace item. */
export function withEvents(changes: Changes, ...events: EventDraft[]): Changes {
  if (events.length === 0) return changes;
  return {
    ...changes,
    set: { ...changes.set, events: events.map(toPendingEvent) },
    increment: { ...changes.increment, event_count: events.length },
  };
}

/** Adds events to a new user or workspace item. */
export function itemWithEvents<T extends Item>(
  item: T,
  ...events: EventDraft[]
): T & HasPendingEvents {
  return { ...item, events: events.map(toPendingEvent), event_count: events.length };
}

function toPendingEvent(event: EventDraft): PendingEvent {
  const { now } = currentRequest();
  return { id: newEventId(now), time: now.toISOString(), actor: currentActor(), ...event };
}

/** The actor of this request; on a public route, the user that the request turned out to concern. */
function currentActor(): Actor {
  const { actor, subject } = currentRequest();
  if (actor) return actor;
  return subject?.uid === undefined
    ? { kind: 'service', id: 'identity-workspace' }
    : { kind: 'user', id: subject.uid };
}

import type { Actor, EventDraft, PendingEvent } from '../model/events.ts';
import { newEventId } from '../model/ids.ts';
import type { Changes } from './change.ts';
import type { Item } from './item.ts';
import { currentRequest } from './request-context.ts';

/**
 * Events begin as facts on the item that changes: a user, a workspace or an address that is mailed to tells in its own write what was done and by
 * whom. So no event is lost where the write took effect, and none is told where it did not. The stream brings them on.
 */
export type HasPendingEvents = {
  /** What the last write told. */
  events?: PendingEvent[];
  /** How many it has told in all: it numbers them without a gap, in the order of the writes. */
  event_count?: number;
};

/** Changes of a user or workspace item that also tell these facts. */
export function withEvents(changes: Changes, ...facts: EventDraft[]): Changes {
  if (facts.length === 0) return changes;
  return {
    ...changes,
    set: { ...changes.set, events: facts.map(toPendingEvent) },
    increment: { ...changes.increment, event_count: facts.length },
  };
}

/** A new user or workspace item that tells these facts. */
export function itemWithEvents<T extends Item>(
  item: T,
  ...facts: EventDraft[]
): T & HasPendingEvents {
  return { ...item, events: facts.map(toPendingEvent), event_count: facts.length };
}

function toPendingEvent(fact: EventDraft): PendingEvent {
  const { now } = currentRequest();
  return { id: newEventId(now), time: now.toISOString(), actor: currentActor(), ...fact };
}

/** Who acts in this request; at a public door whoever it turned out to be about. */
function currentActor(): Actor {
  const { actor, subject } = currentRequest();
  if (actor) return actor;
  return subject?.uid === undefined
    ? { kind: 'service', id: 'identity-workspace' }
    : { kind: 'user', id: subject.uid };
}

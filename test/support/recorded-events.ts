import { expect } from 'vitest';
import type { ProjectSecret } from '#shared/access/projects.ts';
import { keys } from '#shared/db/keys.ts';
import type { HasPendingEvents } from '#shared/db/outbox.ts';
import type { Actor, EventType, PendingEvent } from '#shared/model/events.ts';
import { anId, aTime } from './expectations.ts';
import type { TestProject, World } from './world.ts';

/** A complete pending event, as stored on an item. */
export const anEvent = (actor: Actor, type: EventType, data?: object) => ({
  id: anId('evt-'),
  time: aTime(),
  actor,
  type,
  ...(data && { data }),
});

/** The actor of work without a caller, such as a stream function. */
export const theService: Actor = { kind: 'service', id: 'identity-workspace' };

/** An item without its pending events. */
export function withoutEvents<T extends object>(item: T): T {
  const { events: _, event_count: __, ...rest } = item as T & Record<string, unknown>;
  return rest as T;
}

/** The user as the actor. */
export const self = ({ uid }: { uid: string }): Actor => ({ kind: 'user', id: uid });

/** The backend of a project as the actor: the id of its only secret. */
export async function backend({ table }: World, { project_id }: TestProject): Promise<Actor> {
  const { secrets } = (await table.get(keys.project(project_id))) as { secrets: ProjectSecret[] };
  return { kind: 'key', id: secrets[0]?.secret_id ?? '' };
}

/** The pending events of a user's last write, and the total number of events so far. */
export async function eventsOf({ table }: Pick<World, 'table'>, uid: string) {
  const { events = [], event_count = 0 } = ((await table.get(keys.user(uid))) ??
    {}) as HasPendingEvents;
  return { events, event_count };
}

/** The published events of a type that mention an id, newest first. */
export async function eventsAbout(world: World, type: string, id: string) {
  await world.drainStream();
  const published = world.events().filter((each) => each.type === type);
  return published.filter((each) => JSON.stringify(each).includes(id)).toReversed();
}

/** Runs work that writes a user at most once with events; returns those events. */
export async function eventsDuring<T>(
  world: Pick<World, 'table'>,
  uid: string,
  work: () => Promise<T>,
): Promise<{ answer: T; events: PendingEvent[] }> {
  const before = await eventsOf(world, uid);
  const answer = await work();
  const after = await eventsOf(world, uid);
  const events = after.event_count === before.event_count ? [] : after.events;
  expect(after.event_count).toBe(before.event_count + events.length);
  return { answer, events };
}

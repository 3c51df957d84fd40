import { expect } from 'vitest';
import type { ProjectSecret } from '#shared/access/projects.ts';
import { keys } from '#shared/db/keys.ts';
import type { HasPendingEvents } from '#shared/db/outbox.ts';
import type { Actor, EventType, PendingEvent } from '#shared/model/events.ts';
import { anId, aTime } from './expectations.ts';
import type { TestProject, World } from './world.ts';

/** A fact as an item carries it, whole. */
export const anEvent = (actor: Actor, type: EventType, data?: object) => ({
  id: anId('evt-'),
  time: aTime(),
  actor,
  type,
  ...(data && { data }),
});

/** Who acts where nobody has called, as in a table function by itself. */
export const theService: Actor = { kind: 'service', id: 'identity-workspace' };

/** An item without what its last write told. */
export function untold<T extends object>(item: T): T {
  const { events: _, event_count: __, ...rest } = item as T & Record<string, unknown>;
  return rest as T;
}

/** The user as the actor. */
export const self = ({ uid }: { uid: string }): Actor => ({ kind: 'user', id: uid });

/** The back end of a project as the actor: its only secret, by the id. */
export async function backend({ table }: World, { project_id }: TestProject): Promise<Actor> {
  const { secrets } = (await table.get(keys.project(project_id))) as { secrets: ProjectSecret[] };
  return { kind: 'key', id: secrets[0]?.secret_id ?? '' };
}

/** What the last write of a user told, and how many facts it has told in all. */
export async function eventsOf({ table }: Pick<World, 'table'>, uid: string) {
  const { events = [], event_count = 0 } = ((await table.get(keys.user(uid))) ??
    {}) as HasPendingEvents;
  return { events, event_count };
}

/** The published events of a type about something, the last ones first. */
export async function eventsAbout(world: World, type: string, id: string) {
  await world.drainStream();
  const told = world.events().filter((each) => each.type === type);
  return told.filter((each) => JSON.stringify(each).includes(id)).toReversed();
}

/** What a user tells, in one write or none, while the work is done. */
export async function toldWhile<T>(
  world: Pick<World, 'table'>,
  uid: string,
  work: () => Promise<T>,
): Promise<{ answer: T; told: PendingEvent[] }> {
  const before = await eventsOf(world, uid);
  const answer = await work();
  const after = await eventsOf(world, uid);
  const told = after.event_count === before.event_count ? [] : after.events;
  expect(after.event_count).toBe(before.event_count + told.length);
  return { answer, told };
}

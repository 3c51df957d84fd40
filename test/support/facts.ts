import type { Actor, EventType } from '#shared/events.ts';
import { keys } from '#shared/table/shape.ts';
import { aTime, anId } from './expectations.ts';
import type { World } from './world.ts';

/** A fact as an item carries it, whole. */
export const aFact = (actor: Actor, type: EventType, data?: object) => ({
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

/** What the last write of a user told, and how many facts it has told in all. */
export async function toldBy({ table }: Pick<World, 'table'>, uid: string) {
  const { events, event_count } = (await table.get(keys.user(uid))) ?? {};
  return { events, event_count };
}

import {
  asKey,
  asPerson,
  type Person,
  type Place,
  type Project,
  type Session,
} from './client-state.ts';
import type { Asked, Caller, Entry } from './history.ts';

/** One client about to do something: its own numbers, and the projects that all of them share. */
export type Turn = {
  random: () => number;
  project: Project;
  other: Project;
  /** Sends a request as soon as the one before is answered, and tells what came of it. */
  ask(asked: Asked): Promise<Entry>;
  /** Numbers that nobody else is given: for names that say which request wrote them. */
  next(): number;
};

/** Something that a client does, and how often beside the others. */
export type Deed = { weight: number; run(turn: Turn): Promise<unknown> };

/** Thrown where there is nothing yet that the deed could be done to. */
export class NothingThere extends Error {}

export const chance = ({ random }: Turn, of: number): boolean => random() < of;

export function pick<T>({ random }: Turn, all: readonly T[]): T {
  const found = all[Math.floor(random() * all.length)];
  if (found === undefined) throw new NothingThere();
  return found;
}

export const upTo = ({ random }: Turn, most: number): number => 1 + Math.floor(random() * most);

/** Somebody who was there a moment ago; now and then somebody who is gone. */
export const anyone = (turn: Turn): Person =>
  pick(
    turn,
    turn.project.people.filter(({ gone }) => !gone || chance(turn, 0.1)),
  );

export const anyPlace = (turn: Turn): Place =>
  pick(
    turn,
    turn.project.places.filter(({ gone }) => !gone || chance(turn, 0.1)),
  );

export const anySession = (turn: Turn): Session =>
  pick(
    turn,
    pick(
      turn,
      turn.project.people.filter(({ sessions }) => sessions.length > 0),
    ).sessions,
  );

/** A person's session, which may have ended by now. */
export function sessionOf(turn: Turn, uid: string): Session {
  const sessions = turn.project.people.find((person) => person.uid === uid)?.sessions ?? [];
  // The newest most of the time: of the others many have ended.
  return chance(turn, 0.7) ? pick(turn, sessions.slice(0, 1)) : pick(turn, sessions);
}

export const backend = ({ project }: Turn): Caller => ({
  kind: 'project',
  project_id: project.project_id,
});

export const personOf = (turn: Turn, uid: string): Caller =>
  asPerson(turn.project, sessionOf(turn, uid));

/**
 * A caller who manages a workspace: the back end, its owner, an admin, a key of it; now and then somebody who does not.
 */
export function manager(turn: Turn, place: Place): Caller {
  const choice = turn.random();
  if (choice < 0.4) return backend(turn);
  if (choice < 0.7) return personOf(turn, place.owner);
  if (choice < 0.85) return personOf(turn, pick(turn, [...place.admins]));
  if (choice < 0.93 && place.keys.length > 0)
    return asKey(turn.project, place, pick(turn, place.keys));
  return asPerson(turn.project, anySession(turn));
}

export const inPlace = ({ workspace_id }: Place) => ({ workspace_id });
export const ofUser = ({ workspace_id }: Place, user_id: string) => ({ workspace_id, user_id });

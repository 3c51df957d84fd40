import {
  asKey,
  asPerson,
  type Person,
  type Place,
  type Project,
  type Session,
} from './client-state.ts';
import type { Caller, Entry, SentRequest } from './history.ts';

/** One turn of a client: its own random numbers, and the shared projects. */
export type Turn = {
  random: () => number;
  project: Project;
  other: Project;
  /** Sends a request after the previous response, and returns the outcome. */
  ask(asked: SentRequest): Promise<Entry>;
  /** Unique numbers, for names that identify the request that wrote them. */
  next(): number;
};

/** An action of a client, and its weight. */
export type Action = { weight: number; run(turn: Turn): Promise<unknown> };

/** Thrown if nothing exists yet to which the action could apply. */
export class NothingThere extends Error {}

export const chance = ({ random }: Turn, of: number): boolean => random() < of;

export function pick<T>({ random }: Turn, all: readonly T[]): T {
  const found = all[Math.floor(random() * all.length)];
  if (found === undefined) throw new NothingThere();
  return found;
}

export const upTo = ({ random }: Turn, most: number): number => 1 + Math.floor(random() * most);

/** A recently known user; sometimes a deleted one. */
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

/** A session of a user, which may have ended. */
export function sessionOf(turn: Turn, uid: string): Session {
  const sessions = turn.project.people.find((person) => person.uid === uid)?.sessions ?? [];
  // Mostly the newest, because many others have ended.
  return chance(turn, 0.7) ? pick(turn, sessions.slice(0, 1)) : pick(turn, sessions);
}

export const backend = ({ project }: Turn): Caller => ({
  kind: 'project',
  project_id: project.project_id,
});

export const personOf = (turn: Turn, uid: string): Caller =>
  asPerson(turn.project, sessionOf(turn, uid));

/** A caller who manages a workspace: the backend, its owner, an admin or an API key; sometimes one who does not. */
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

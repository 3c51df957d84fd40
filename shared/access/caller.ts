import type { Scheme } from '../contract/route.ts';
import { invalidField, notFound } from '../model/errors.ts';
import type { Project } from './projects.ts';

/** A project's back end: everything inside its project. */
export type ProjectCaller = {
  kind: 'project';
  project_id: string;
  project: Project;
  /** Which of the project's secrets it used: not the secret itself. */
  secret_id: string;
};

/** A person with a live session; what they may do follows from their standing. */
export type PersonCaller = {
  kind: 'person';
  project_id: string;
  project: Project;
  uid: string;
  session_id: string;
  /** As the token says, up to its age behind: enough to look ahead with, never to decide on. */
  claimed: { email: string; email_verified: boolean };
};

/** The bearer of a refresh token, which only the refresh itself can read. */
export type RefreshCaller = { kind: 'refresh'; token: string };

export type Caller = ProjectCaller | PersonCaller | RefreshCaller;

type ByScheme = { project: ProjectCaller; access: PersonCaller; refresh: RefreshCaller };

/** Exactly the callers that a route's schemes let in; nobody for a public route. */
export type CallerOf<S extends readonly Scheme[]> = S extends readonly []
  ? undefined
  : ByScheme[S[number]];

/**
 * Whose things a request is about: the caller's own, or with Basic those of `user_id`, which is then required.
 * Throws `invalid_request`, or `not_found` to a person who names somebody else.
 */
export function targetUserId(
  caller: ProjectCaller | PersonCaller,
  user_id: string | undefined,
): string {
  if (caller.kind === 'person' && user_id !== undefined && user_id !== caller.uid)
    throw notFound('a person acts for themself only');
  const uid = caller.kind === 'person' ? caller.uid : user_id;
  if (uid === undefined)
    throw invalidField('/query/user_id', 'Is required with a Basic credential');
  return uid;
}

import type { UserKeyOperation, WorkspaceKeyOperation } from '../contract/key-access.ts';
import type { Scheme } from '../contract/route.ts';
import { invalidField, notFound } from '../model/errors.ts';
import type { AccessClaims, AuthenticationClaims } from './access-token.ts';
import type { Project } from './projects.ts';

/** A project's backend: may do everything within its project, as far as its secret has the scopes. */
export type ProjectCaller = {
  kind: 'project';
  project_id: string;
  project: Project;
  /** Id of the secret that it used, not the secret itself. */
  secret_id: string;
  /** The scopes of the secret; undefined: all. */
  scopes?: readonly string[] | undefined;
  key?: undefined;
};

/** A user with a live session; their rights follow from their standing. */
export type PersonCaller = {
  kind: 'person';
  project_id: string;
  project: Project;
  uid: string;
  session_id: string;
  /** Who acts as the user, if it is not the user. */
  impersonator?: string | undefined;
  /**
   * Claims of the token. `email` and `email_verified` may be outdated by up to its age: they serve to prefetch, never
   * to decide. The others are facts of the token.
   */
  claimed: Pick<AccessClaims, 'email' | 'email_verified' | 'exp' | 'jti' | 'client_id'> &
    AuthenticationClaims;
  key?: undefined;
};

/** The API key that a caller used, and the actions that it is limited to, if it is. */
export type UsedKey = {
  key_id: string;
  permissions?: readonly string[] | undefined;
  /** Its user had shown a second factor when they got its text. */
  second_factor?: boolean;
  /** Of a key of a workspace: how often that had been restored when it was made. */
  generation?: number | undefined;
};

/** A program with an API key of a user: acts as the user, within the limits of the key, and has no session. */
export type UserKeyCaller = {
  kind: 'person';
  project_id: string;
  project: Project;
  uid: string;
  key: UsedKey;
  session_id?: undefined;
  impersonator?: undefined;
};

/** A program with an API key of a workspace, which is nothing to any other workspace. */
export type WorkspaceKeyCaller = {
  kind: 'workspace';
  project_id: string;
  project: Project;
  workspace_id: string;
  role: 'admin' | 'member';
  key: UsedKey;
};

export type KeyCaller = UserKeyCaller | WorkspaceKeyCaller;

/** A user, by a session or by an API key. */
export type Person = PersonCaller | UserKeyCaller;

/** The bearer of a refresh token, or the browser whose cookie has it; only the handler verifies it. */
export type RefreshCaller = { kind: 'refresh'; token: string };

export type Caller = ProjectCaller | PersonCaller | RefreshCaller | KeyCaller;

/** A caller whose credential is verified: every one but the bearer of a refresh token. */
export type VerifiedCaller = Exclude<Caller, RefreshCaller>;

type ByScheme = {
  project: ProjectCaller;
  access: PersonCaller;
  refresh: RefreshCaller;
  cookie: RefreshCaller;
};

/** The kinds of callers that a route's schemes accept; undefined for a public route. */
export type CallerOf<S extends readonly Scheme[]> = S extends readonly []
  ? undefined
  : ByScheme[S[number]];

/** The kinds of API keys that a route accepts. */
export type KeyCallerOf<N extends string> =
  | (N extends UserKeyOperation ? UserKeyCaller : never)
  | (N extends WorkspaceKeyOperation ? WorkspaceKeyCaller : never);

/**
 * Resolves the user a request acts on: the caller, or with Basic `user_id`, which is then required. Throws
 * `invalid_request`, or `not_found` to a user who names somebody else.
 */
export function targetUserId(caller: ProjectCaller | Person, user_id: string | undefined): string {
  if (caller.kind === 'person' && user_id !== undefined && user_id !== caller.uid)
    throw notFound('a person may act only for themself');
  const uid = caller.kind === 'person' ? caller.uid : user_id;
  if (uid === undefined)
    throw invalidField('/query/user_id', 'Is required with a Basic credential');
  return uid;
}

import type { CallOptions } from './call.ts';
import type { Api, NotForUsers } from './generated/api.ts';
import { backendRoutes } from './generated/backend-routes.ts';
import { userRoutes } from './generated/user-routes.ts';
import { mapOperations } from './map-operations.ts';
import { type Settings, send } from './send.ts';

export { ApiError, type ErrorCode } from './api-error.ts';

export type Client = Api;
/** The operations that a user may call: `auth.api` has no others. */
export type UserClient = {
  [Group in keyof Api as Exclude<keyof Api[Group], Refused<Group>> extends never
    ? never
    : Group]: Omit<Api[Group], Refused<Group>>;
};
type Refused<Group> = Group extends keyof NotForUsers ? NotForUsers[Group] : never;
export type ClientOptions = Omit<Settings, 'url'>;

/** The Authorization header of a project's backend (RFC 7617). */
export const basic = (projectId: string, secret: string): string =>
  `Basic ${btoa(`${projectId}:${secret}`)}`;

/** The Authorization header of a user (RFC 6750). */
export const bearer = (token: string): string => `Bearer ${token}`;

/** The operations of users, and the refresh of their session. */
export type SessionClient = UserClient & { sessions: Pick<Api['sessions'], 'refresh'> };

/**
 * Creates a client with a method for every operation of the service. A method resolves with a success and throws
 * `ApiError` for every other answer. It tries again by itself where that is safe and may help.
 * @param options the Authorization header, or the whole of the options.
 */
export function createClient(url: string, options: string | ClientOptions = {}): Client {
  const settings = typeof options === 'string' ? { authorization: options } : options;
  const userCalls: Groups = callsOf(userRoutes, url, settings);
  const backendCalls: Groups = callsOf(backendRoutes, url, settings);
  for (const [group, calls] of Object.entries(backendCalls))
    backendCalls[group] = { ...userCalls[group], ...calls };
  return { ...userCalls, ...backendCalls } as Client;
}

/** Creates a client for a page: without what only a backend may call, of which it would carry the names. */
export const createUserClient = (url: string, options: ClientOptions = {}): SessionClient =>
  callsOf(userRoutes, url, options) as SessionClient;

type Groups = Record<string, object>;

/** How operations are sent, by group and name: see `send`. */
export type Routes = Record<string, Record<string, string>>;

export function callsOf(routes: Routes, url: string, options: ClientOptions): Groups {
  const settings = { ...options, url: url.replace(/\/+$/, '') };
  return mapOperations(
    routes,
    (operation: string) =>
      (input: Record<string, unknown> = {}, call: CallOptions = {}) =>
        send(operation, input, call, settings),
  );
}

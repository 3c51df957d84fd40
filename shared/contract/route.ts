import * as z from 'zod';
import type { ErrorCode } from '../model/error-codes.ts';
import { limits, times } from '../model/limits.ts';
import { takesKey } from './key-access.ts';

/**
 * `project`: Basic, the project's backend. `access`: Bearer, a user. `refresh`: Bearer, a refresh token. `cookie`: a
 * refresh token in the session cookie of the project in the path; it stands alone.
 */
export type Scheme = 'project' | 'access' | 'refresh' | 'cookie';

/**
 * 202: accepted and processed later. 302: redirect. 303: redirect of a form. After a 302 a client may post it there too,
 * with what it has of credentials (RFC 9700 section 4.12).
 */
export type SuccessStatus = 200 | 201 | 202 | 302 | 303;
type Statuses = readonly [SuccessStatus, ...SuccessStatus[]];

/** A route as plain data; stack, gateway, OpenAPI, client and tests all read it. */
export type RouteSpec = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  summary: string;
  /** Accepted credentials; empty for a public route. */
  auth: readonly Scheme[];
  params?: z.ZodObject;
  /** `z.strictObject` rejects unknown parameters; `z.object` ignores them, as OAuth has it. */
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Fields of the body that a backend must name, and a user may leave out. */
  requiredWithBasic?: readonly string[];
  /** `form`: the body is `application/x-www-form-urlencoded` instead of JSON, so its fields are strings. */
  accepts?: 'form';
  response: z.ZodType;
  /** The success statuses, the usual one first; 200 unless named. */
  statuses?: Statuses;
  /**
   * Another answer than the usual one, of its own status and form. The client throws it as an `ApiError`, because
   * the caller does not have what they asked for.
   */
  otherwise?: { status: 200; response: z.ZodType; description: string; example: unknown };
  /** Somebody who acts as the user is refused: only the user, or the project's backend, may do it. */
  notByActor?: true;
  /** It ends sessions: a user can do it however much has been changed in their name. */
  uncounted?: true;
  /**
   * Where the project asks for it (`recent_sign_in`), a person must have signed in, or reauthenticated, within the
   * last ten minutes.
   */
  recentSignIn?: true;
  /** Errors of the route's own work, if it has any; `failuresOf` adds those of authentication and validation. */
  errors?: readonly ErrorCode[];
  /**
   * `oauth`: errors also have the form of RFC 6749 section 5.2, for libraries that know no other. `page`: clients that
   * accept HTML get them as a page.
   */
  problems?: 'oauth' | 'page';
  /** Only for requests that the browser says come from the hosted pages, as those with the cookie always are. */
  sameOrigin?: true;
  /** Only for a whole tab: a page of another site cannot load it into itself. */
  navigation?: true;
  /** False: the operation is no part of the client package. */
  client?: false;
  /** Maximum bytes of the body, if not the default. */
  bodyLimit?: number;
  /** Deadline in milliseconds, if not the default. */
  time?: number;
  /** A POST that changes nothing and therefore accepts no Idempotency-Key. */
  readOnly?: true;
  /** It changes something and accepts no Idempotency-Key all the same. */
  noIdempotencyKey?: true;
  /** The path of what a 201 has created, with fields of the response in braces: its `Location`. */
  created?: `/${string}`;
  /** The response is one resource, with its `ETag`. */
  etag?: true;
  /** The route changes one resource of this schema and honours `If-Match`. */
  ifMatch?: z.ZodType;
  /** Default page size, if not the usual one. */
  pageSize?: number;
  /** Media type of the response, if not JSON. */
  produces?: string;
  /** The response is static and is sent compressed to clients that accept it. */
  compressed?: true;
  /** `Cache-Control` of a success, if not `no-store`: the first, unless the handler sets another of them. */
  cache?: string | readonly [string, ...string[]];
};

/** What a route that leaves it out has all the same. */
type Filled = { statuses: Statuses; errors: readonly ErrorCode[] };
export type Route = RouteSpec & Filled & { name: string };

type Group<G extends string, R> = {
  [V in keyof R]: R[V] & Filled & { name: `${G}.${V & string}` };
};

/** Names every route of a group `group.verb`, which is also the path of its function. */
export function group<const G extends string, const R extends Record<string, RouteSpec>>(
  name: G,
  routes: R,
): Group<G, R> {
  return Object.fromEntries(
    Object.entries(routes).map(([verb, route]) => [
      verb,
      { statuses: [200], errors: [], ...route, name: `${name}.${verb}` },
    ]),
  ) as Group<G, R>;
}

/** Every `Cache-Control` that a success can have, the usual one first. */
export const cachesOf = ({ cache = 'no-store' }: Pick<RouteSpec, 'cache'>): readonly string[] =>
  typeof cache === 'string' ? [cache] : cache;

/** Whether a route only reads. */
export const isReadOnly = ({ method, readOnly }: Pick<RouteSpec, 'method' | 'readOnly'>): boolean =>
  method === 'GET' || readOnly === true;

/** Whether the requests of users, by an access token, count as their changes (`rates.changesByOne`). */
export const isCountedChange = (route: RouteSpec): boolean =>
  route.auth.includes('access') && !isReadOnly(route) && !route.uncounted;

/** Whether requests of a route may have an Idempotency-Key: it changes something, and has no rule of its own. */
export const takesIdempotencyKey = (route: RouteSpec): boolean =>
  !isReadOnly(route) && !route.noIdempotencyKey;

/** Whether a request of the route may name the version that the client has (`If-None-Match`). */
export const isRevalidated = ({ method, etag }: RouteSpec): boolean =>
  method === 'GET' && etag === true;

/** Whether a route is only for requests of the service's own pages. */
export const isForOwnPages = ({ auth, sameOrigin }: RouteSpec): boolean =>
  sameOrigin === true || auth.includes('cookie');

/** Whether a route is public but names a project: each project has its own rate limit at such a route. */
export const isPublicByProject = ({ auth, body }: RouteSpec): boolean =>
  auth.length === 0 && body !== undefined && 'project_id' in body.shape;

/** Whether the body may be omitted; it then counts as an empty object. */
export const isBodyOptional = (body: z.ZodObject): boolean => body.safeParse({}).success;

/** The media types of the body, the usual one first: every PATCH is a JSON Merge Patch (RFC 7396). */
export const bodyTypesOf = ({
  accepts,
  method,
}: Pick<RouteSpec, 'accepts' | 'method'>): readonly [string, ...string[]] => {
  if (accepts === 'form') return ['application/x-www-form-urlencoded'];
  return method === 'PATCH'
    ? ['application/json', 'application/merge-patch+json']
    : ['application/json'];
};

/** Maximum bytes of the body. */
export const bodyLimitOf = ({ bodyLimit = limits.body }: Pick<RouteSpec, 'bodyLimit'>): number =>
  bodyLimit;

/** Milliseconds that a request may take. */
export const budgetOf = ({ time = times.request }: Pick<RouteSpec, 'time'>): number => time;

/** Timeout of a route's function in seconds: one second more than the deadline, so that only a fault reaches it. */
export const functionSeconds = (route: Pick<RouteSpec, 'time'>): number =>
  Math.ceil((budgetOf(route) + times.reserve) / 1_000) + 1;

/**
 * Whether a route is for the members of a workspace, which may ask them for a second factor. Somebody who requests to
 * join is none yet.
 */
export const isForMembers = ({ auth, path, name }: Route): boolean =>
  auth.includes('access') &&
  path.startsWith('/workspaces/{workspace_id}') &&
  name !== 'joinRequests.create';

/** Every error that a route can return. */
export function failuresOf(route: Route): ErrorCode[] {
  const codes = new Set(route.errors);
  if (route.auth.length > 0) codes.add('unauthenticated');
  if (route.auth.includes('project')) codes.add('insufficient_scope');
  if (route.auth.includes('access')) codes.add('token_expired');
  if (route.recentSignIn) codes.add('reauthentication_required');
  const refusesSome = isForOwnPages(route) || route.notByActor || route.navigation;
  if (refusesSome || takesKey(route, 'user')) codes.add('forbidden');
  if (takesKey(route, 'user')) codes.add('too_many_requests');
  if (isForMembers(route)) codes.add('mfa_required');
  if (route.body) codes.add('content_too_large').add('unsupported_media_type');
  // The response must fit into the record of an Idempotency-Key.
  if (takesIdempotencyKey(route))
    codes.add('request_in_progress').add('idempotency_key_reused').add('content_too_large');
  if (route.ifMatch) codes.add('precondition_failed');
  codes
    .add('invalid_request')
    .add('too_many_requests')
    .add('temporarily_unavailable')
    .add('internal_error');
  return [...codes];
}

/**
 * Page size in a body; a larger value counts as the maximum. Without the keyword `default`: generators take a property
 * that has one for required.
 */
export const pageLimitInBody = (usual: number = limits.page.default) =>
  z
    .int()
    .min(1)
    .overwrite((limit) => Math.min(limit, limits.page.max))
    .optional()
    .meta({
      description: `Maximum number to return; default ${usual}, at most ${limits.page.max}.`,
    });

/** Page size of a list; a larger value counts as the maximum. */
export const pageLimit = (usual: number = limits.page.default) =>
  pageLimitInBody(usual).meta({ default: usual });

const pageOffset = (message?: string) => z.int().min(0).max(limits.offset, message).optional();
/** How many results a list without a cursor skips, named in a body. */
export const pageOffsetInBody = pageOffset().meta({ description: 'Number to skip; default 0.' });

/** Query parameters of a paged list, with the check `alone('offset', 'cursor')`. */
export const pageQuery = {
  offset: pageOffset(
    `Must be at most ${limits.offset}; to go further, use the cursor in the Link header`,
  ).meta({ description: 'Number to skip; default 0. Not together with cursor.' }),
  limit: pageLimit(),
  cursor: z.string().max(1024).optional().meta({
    description:
      'Where to continue: the cursor in the Link header of the previous page. Not together with offset.',
  }),
};

type Filters = Record<string, unknown>;

/** Refuses every filter that stands beside one that it has no sense with, once each is right by itself. */
export const alone =
  (name: string, ...others: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload<Filters>): void => {
    if (value[name] === undefined || issues.length > 0) return;
    for (const other of others)
      if (value[other] !== undefined)
        issues.push({
          code: 'custom',
          path: [other],
          message: `Not allowed together with ${name}`,
          input: value[other],
        });
  };

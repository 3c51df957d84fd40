import * as z from 'zod';
import type { ErrorCode } from '../model/errors.ts';
import { limits, times } from '../model/limits.ts';

/** `project`: Basic, the project's back end. `access`: Bearer, a person. `refresh`: Bearer, a refresh token. */
export type Scheme = 'project' | 'access' | 'refresh';

/** 202: what was asked for is done later. 302: it is elsewhere. */
export type SuccessStatus = 200 | 201 | 202 | 302;

/** A route as plain data; everything that knows a route (stack, gateway, OpenAPI, client, tests) reads this. */
export type RouteSpec = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: `/${string}`;
  summary: string;
  /** Any one of these credentials; none for a public route. */
  auth: readonly Scheme[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  response: z.ZodType;
  /** The statuses of success; the first is the usual one. */
  statuses: readonly [SuccessStatus, ...SuccessStatus[]];
  /** The failures that this route's own work can give; `failuresOf` adds those of its credential and input. */
  errors: readonly ErrorCode[];
  /** Bytes that a body may have, where that is not the usual number. */
  bodyLimit?: number;
  /** Milliseconds until it is answered at the latest, where that is not the usual time. */
  time?: number;
  /** A POST that changes nothing, and so takes no Idempotency-Key. */
  readOnly?: true;
  /** The answer is one resource, with its `ETag`. */
  etag?: true;
  /** Changes one resource of this schema, and where there is an `If-Match` only the version that it names. */
  ifMatch?: z.ZodType;
  /** Length of a page that no `limit` asks for, where it is not the usual one. */
  pageSize?: number;
  /** Media type of the answer where it is not JSON. */
  produces?: string;
  /** The answer never changes, and comes compressed to a client that takes it so. */
  compressed?: true;
  /** `Cache-Control` of a success where it is not `no-store`. */
  cache?: string;
};

export type Route = RouteSpec & { name: string };

/** Names every route of a group `group.verb`, which is also the path of its function. */
export function group<const G extends string, const R extends Record<string, RouteSpec>>(
  name: G,
  routes: R,
): { [V in keyof R]: R[V] & { name: `${G}.${V & string}` } } {
  return Object.fromEntries(
    Object.entries(routes).map(([verb, route]) => [verb, { ...route, name: `${name}.${verb}` }]),
  ) as { [V in keyof R]: R[V] & { name: `${G}.${V & string}` } };
}

/** Whether a route changes something: a request to it may carry an Idempotency-Key. */
export const changes = (route: RouteSpec): boolean => route.method !== 'GET' && !route.readOnly;

/** Whether a route is open to everybody who names a project: each project has its share of such a door. */
export const isPublicByProject = ({ auth, body }: RouteSpec): boolean =>
  auth.length === 0 && body !== undefined && 'project_id' in body.shape;

/** Whether a request may come without a body, which then is an empty object. */
export const isBodyOptional = (body: z.ZodObject): boolean => body.safeParse({}).success;

/** Bytes that a body may have. */
export const bodyLimitOf = ({ bodyLimit = limits.body }: Pick<RouteSpec, 'bodyLimit'>): number =>
  bodyLimit;

/** Milliseconds until a request is answered at the latest. */
export const timeOf = ({ time = times.request }: Pick<RouteSpec, 'time'>): number => time;

/** Seconds that the function of a route may run. A second more than it needs: only a fault reaches the end. */
export const functionSeconds = (route: Pick<RouteSpec, 'time'>): number =>
  Math.ceil((timeOf(route) + times.reserve) / 1_000) + 1;

/** Every failure that a route can answer. */
export function failuresOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.auth.length > 0) codes.add('unauthenticated');
  if (route.auth.includes('access')) codes.add('token_expired');
  if (route.body) codes.add('content_too_large').add('unsupported_media_type');
  // Its answer must fit the record of an Idempotency-Key.
  if (changes(route))
    codes.add('request_in_progress').add('idempotency_key_reused').add('content_too_large');
  if (route.ifMatch) codes.add('precondition_failed');
  codes
    .add('invalid_request')
    .add('too_many_requests')
    .add('temporarily_unavailable')
    .add('internal_error');
  return [...codes];
}

/** How many elements a list returns; more than there may be in a page counts as that many. */
export const pageLimit = (usual: number = limits.page.default) =>
  z
    .int()
    .min(1)
    .overwrite((limit) => Math.min(limit, limits.page.max))
    .optional()
    .meta({
      description: `Maximum number to return; default ${usual}, at most ${limits.page.max}.`,
    });

/** Query parameters of a paged list. */
export const pageQuery = {
  offset: z
    .int()
    .min(0)
    .max(
      limits.offset,
      `Must be at most ${limits.offset}; to go further, use the cursor in the Link header`,
    )
    .optional()
    .meta({ description: 'Number to skip; default 0. Not together with cursor.' }),
  limit: pageLimit(),
  cursor: z.string().max(1024).optional().meta({
    description: 'Where to continue: the cursor in the Link header of the previous page.',
  }),
};

/** `offset` and `cursor` exclude each other. */
export const oneStart = (query: { offset?: number | undefined; cursor?: string | undefined }) =>
  query.offset === undefined || query.cursor === undefined;

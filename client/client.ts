import type * as z from 'zod';
import { api } from '../shared/contract/api.ts';
import type { Route, RouteSpec } from '../shared/contract/route.ts';
import { type ErrorCode, errorCodes, type FieldError } from '../shared/model/errors.ts';

type Api = typeof api;
type In<S> = S extends z.ZodType ? z.input<S> : unknown;
type Body<R extends RouteSpec> = R['response'] extends z.ZodType ? z.output<R['response']> : never;
/** Path, query and body fields of a route in one object; their names never collide. */
type Arguments<R extends RouteSpec> = In<R['params']> & In<R['query']> & In<R['body']>;
type Call<R extends RouteSpec> = (
  input: Arguments<R>,
  options?: CallOptions,
) => Promise<{ status: number; headers: Headers; body: Body<R> }>;

/** `client.members.add({ workspace_id, user_id, role })`, and likewise for every route of the contract. */
export type Client = {
  [G in keyof Api]: {
    [V in keyof Api[G]]: Api[G][V] extends RouteSpec ? Call<Api[G][V]> : never;
  };
};

export type CallOptions = {
  /** The Authorization header of this call, instead of the client's. */
  authorization?: string;
  /** Makes retries safe: with the same key the request takes effect once and gets the same response. */
  idempotencyKey?: string;
  /** The `ETag` of the version to change. */
  ifMatch?: string;
  signal?: AbortSignal;
};

/** An error response of the service (RFC 9457). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: FieldError[];
  readonly requestId: string;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id;
  }
}

type Problem = {
  status: number;
  code: ErrorCode;
  detail: string;
  request_id: string;
  errors?: FieldError[];
};

/** The Authorization header of a project's backend. */
export const basic = (projectId: string, secret: string): string =>
  `Basic ${Buffer.from(`${projectId}:${secret}`).toString('base64')}`;

/** The Authorization header of a user. */
export const bearer = (token: string): string => `Bearer ${token}`;

/**
 * Creates a client for every route of the contract. Its calls throw `ApiError` for every response that is not a
 * success.
 */
export function createClient(baseUrl: string, authorization?: string): Client {
  const groups = Object.entries(api).map(([name, routes]) => [
    name,
    Object.fromEntries(
      Object.entries(routes as Record<string, Route>).map(([verb, route]) => [
        verb,
        (input: Record<string, unknown>, options: CallOptions = {}) =>
          call(baseUrl, route, input, { ...(authorization && { authorization }), ...options }),
      ]),
    ),
  ]);
  return Object.fromEntries(groups) as Client;
}

async function call(
  baseUrl: string,
  route: Route,
  input: Record<string, unknown>,
  { authorization, idempotencyKey, ifMatch, signal }: CallOptions,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const query = pick(input, route.query);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetch(
    `${baseUrl}${path}${search.size > 0 ? `?${search.toString()}` : ''}`,
    {
      method: route.method,
      headers: {
        // Public routes need no credential, so none is sent to them.
        ...(authorization !== undefined && route.auth.length > 0 && { authorization }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(route.body && { 'content-type': 'application/json' }),
      },
      ...(route.body && { body: JSON.stringify(pick(input, route.body)) }),
      ...(signal && { signal }),
    },
  );
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  const body: unknown = json ? JSON.parse(text) : text;
  if (!response.ok) throw new ApiError(toProblem(response, body));
  return { status: response.status, headers: response.headers, body };
}

/** Converts API Gateway's own error responses (429, 413, 500, 503), whose body is `{"message": ...}`. */
function toProblem({ status, headers }: Response, body: unknown): Problem {
  if (typeof body === 'object' && body !== null && 'code' in body) return body as Problem;
  const codes = Object.entries(errorCodes) as [ErrorCode, { status: number }][];
  const [code] = codes.find(([, each]) => each.status === status) ?? ['internal_error' as const];
  return {
    status,
    code,
    detail: errorCodes[code].title,
    request_id: headers.get('apigw-requestid') ?? '',
  };
}

function pick(input: Record<string, unknown>, schema: z.ZodObject | undefined) {
  const names = Object.keys(schema?.shape ?? {});
  return Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  );
}

import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { begin } from '../auth/exactly-once.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { Caller, CallerOf, PersonCaller, ProjectCaller } from '../auth/caller.ts';
import { failuresOf, isDoor, type Route, timeOf } from '../contract/route.ts';
import { env } from '../env.ts';
import { type ErrorCode, Failure } from '../errors.ts';
import type { Actor } from '../events.ts';
import { limits, times } from '../limits.ts';
import { inRequest, type RequestContext, StaleRead } from '../request.ts';
import { pause } from '../table/client.ts';
import { enter } from '../table/doors.ts';
import { beginRun, hold } from '../table/effect.ts';
import type { Item } from '../table/item.ts';
import { requireLiveSession } from '../table/sessions.ts';
import type { Client } from './client-address.ts';
import { type CursorScope, nextLink, type Page, toPage } from './cursor.ts';
import { readInput } from './input.ts';
import { log } from './log.ts';
import { etagOf, type IfMatch, names } from './precondition.ts';
import { aroundTheProxy, type HttpResponse, toProblem } from './problem.ts';
import { EncodedReply, Reply } from './reply.ts';

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler gets: validated input, and exactly the callers that its route lets in. */
export type Input<R extends Route> = {
  params: Output<R['params']>;
  query: Output<R['query']>;
  body: Output<R['body']>;
  caller: CallerOf<R['auth']>;
  /** The page that a paged list's query asks for. */
  page: Page;
  /** Where the request comes from, as far as API Gateway or a trusted proxy vouches for it. */
  client: { address: string; user_agent: string; accept_encoding: string };
  /** Compares the resource with what `If-Match` names; absent where the request has none. */
  match: Match | undefined;
  method: string;
  path: string;
  now: Date;
};

type Run<R extends Route> = (
  input: Input<R>,
) => Promise<z.input<R['response']> | Reply<z.input<R['response']>> | EncodedReply>;

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResponse>;

/**
 * The frame around every handler: authenticate, validate, run, validate the answer, one log line.
 * The caller's session is read together with the handler's first read; no answer leaves and no write is sent
 * before it is known to live. A handler whose reads went stale runs again.
 */
export function endpoint<const R extends Route>(route: R, run: Run<R>): Handler {
  const declared = new Set<ErrorCode>(failuresOf(route));
  return (event, lambda) => {
    const id = event.requestContext.requestId;
    const budget = Math.min(timeOf(route), lambda.getRemainingTimeInMillis() - times.reserve);
    return inRequest(id, budget, async (request) => {
      const seen: { caller?: Caller | undefined; reruns: number } = { reruns: 0 };
      const { authorization } = event.headers;
      let response: HttpResponse;
      const client = await clientOf(event);
      let failure: Failure | undefined;
      try {
        response =
          client.kind === 'refused'
            ? aroundTheProxy
            : await answer(route, run, { event, address: client.address }, request, seen);
      } catch (error) {
        failure = toFailure(error, declared);
        response = toProblem(failure, { id, schemes: route.auth, authorization });
      }
      await Promise.allSettled(request.after);
      log({
        level: response.statusCode >= 500 ? 'error' : 'info',
        operation: route.name,
        request_id: id,
        status: response.statusCode,
        duration_ms: Date.now() - request.now.getTime(),
        ...(failure && { code: failure.code }),
        ...(failure && response.statusCode >= 500 && { cause: failure.cause ?? failure }),
        ...describeCaller(seen.caller),
        ...(client.kind === 'unnamed' && { client: client.kind }),
        ...request.subject,
        ...(response.headers['idempotency-replayed'] && { replayed: true }),
        ...(seen.reruns > 0 && { reruns: seen.reruns }),
      });
      return {
        ...response,
        headers: { ...standardHeaders(id, route, failure), ...response.headers },
      };
    });
  };
}

async function answer<R extends Route>(
  route: R,
  run: Run<R>,
  { event, address }: { event: APIGatewayProxyEventV2; address: string },
  request: RequestContext,
  seen: { caller?: Caller | undefined; reruns: number },
): Promise<HttpResponse> {
  const { now } = request;
  const caller =
    route.auth.length > 0
      ? await authenticate(route.auth, event.headers['authorization'], now)
      : undefined;
  seen.caller = caller;
  if (caller && caller.kind !== 'refresh') request.actor = actorOf(caller);
  const { params, query, body, headers } = await readInput(route, event);
  // Before everything that costs more than this.
  if (isDoor(route)) await enter((body as { project_id: string }).project_id, route.name, now);
  const scope = scopeOf(event.rawPath, query, caller);
  const pageSize = route.pageSize ?? limits.page.default;
  const page = scope ? toPage(scope.query, scope, pageSize) : { offset: 0, limit: pageSize };
  const { method, path, userAgent } = event.requestContext.http;
  // A client without the header has no agent.
  const client = {
    address,
    user_agent: (userAgent as string | undefined) ?? '',
    accept_encoding: event.headers['accept-encoding'] ?? '',
  };
  const { idempotencyKey, ifMatch } = headers;
  const match = ifMatch && route.ifMatch ? matching(ifMatch, route.ifMatch) : undefined;
  const input = { params, query, body, caller, page, client, match, method, path, now } as Input<R>;
  const confirm = () => {
    const confirmed = caller?.kind === 'person' ? requireLiveSession(caller, now) : undefined;
    request.confirmed = Promise.resolve(confirmed);
    return confirmed;
  };
  // Whoever waits for it awaits it; till then a session that has ended must not end the process.
  if (idempotencyKey !== undefined) confirm()?.catch(() => {});
  const asked = { operation: route.name, params, query, body, ifMatch };
  const begun =
    idempotencyKey === undefined ? undefined : await claim(idempotencyKey, caller, asked);
  if (begun && 'replay' in begun) return replayed(begun.replay);
  try {
    const responseOf = (result: Awaited<ReturnType<Run<R>>>) =>
      toResponse(route, result, { scope, path: event.rawPath });
    return await settled(request, seen, async () => {
      beginRun({
        waits: begun !== undefined,
        requireRoom: (result) =>
          begun?.requireRoom(JSON.stringify(responseOf(result as Awaited<ReturnType<Run<R>>>))),
      });
      const [session, ran] = await Promise.allSettled([confirm(), run(input)]);
      // A dead session is the answer whatever the handler found: its failures may tell things too.
      if (session.status === 'rejected') throw session.reason;
      if (ran.status === 'rejected') {
        begun?.abandon(ran.reason);
        throw ran.reason;
      }
      const response = responseOf(ran.value);
      await begun?.finish(JSON.stringify(response));
      return response;
    });
  } catch (error) {
    // At worst the key is left behind, and good again after a moment.
    await begun?.release().catch(() => {});
    throw error;
  }
}

/** Who sent a request. Without a trusted proxy none of its code is loaded. */
async function clientOf({ headers, requestContext }: APIGatewayProxyEventV2): Promise<Client> {
  const address = requestContext.http.sourceIp;
  const proxy = env.trustedProxy();
  if (proxy.digests.length === 0) return { kind: 'direct', address };
  return (await import('./client-address.ts')).clientOf(headers, address, proxy);
}

/** Begins a request with an Idempotency-Key. A chunk of its own, which no other request loads. */
const claim: typeof begin = async (...of) => (await import('../auth/exactly-once.ts')).begin(...of);

/** An answer as it was given before. */
function replayed(text: string): HttpResponse {
  const response = JSON.parse(text) as HttpResponse;
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}

/** Compares a resource with what `If-Match` names, and holds the request to it. Throws `precondition_failed`. */
type Match = (item: Item, representation: unknown) => void;

/**
 * Makes the check of `If-Match` for resources of one schema. What is compared was read before: so that nothing comes
 * between, every write of the request is held to the item being as it was read.
 */
const matching =
  (ifMatch: IfMatch, schema: z.ZodType): Match =>
  (item, representation) => {
    if (!names(ifMatch, etagOf(schema.parse(representation))))
      throw new Failure('precondition_failed');
    hold(item);
  };

/** The answer of a handler, validated: what the contract does not name cannot leave. */
function toResponse<R extends Route>(
  route: R,
  result: Awaited<ReturnType<Run<R>>>,
  { scope, path }: { scope: CursorScope | undefined; path: string },
): HttpResponse {
  const type = { 'content-type': route.produces ?? 'application/json' };
  const vary = route.compressed && { vary: 'accept-encoding' };
  if (result instanceof EncodedReply)
    return {
      statusCode: route.statuses[0],
      headers: { ...type, ...vary, 'content-encoding': result.coding, ...result.headers },
      body: result.bytes.toString('base64'),
      isBase64Encoded: true,
    };
  const full = result instanceof Reply ? result : new Reply(result, {});
  const value = route.response.parse(full.body);
  const body = route.produces === undefined ? JSON.stringify(value) : String(value);
  return {
    statusCode: full.status ?? route.statuses[0],
    headers: {
      ...type,
      ...vary,
      ...(route.etag && { etag: etagOf(value) }),
      ...(full.next !== undefined &&
        scope && {
          link: nextLink(full.next, `${env.baseUrl()}${path}`, scope.query, scope),
        }),
      ...full.headers,
    },
    body,
  };
}

/** Runs the handler, again and again while what it read is out of date, until the deadline. */
async function settled<T>(
  { deadline, signal }: RequestContext,
  seen: { reruns: number },
  run: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
      await pause(Math.min(seen.reruns, 4), deadline, signal, error);
      seen.reruns += 1;
    }
  }
}

/** A cursor is good for this caller, path and filters alone; only lists have a query, and only a caller has a key. */
function scopeOf(
  path: string,
  query: unknown,
  caller: Caller | undefined,
): CursorScope | undefined {
  if (query === undefined || !caller || caller.kind === 'refresh') return undefined;
  return {
    key: caller.project.cursor_key,
    caller: caller.kind === 'person' ? caller.uid : caller.project_id,
    path,
    query: query as Record<string, unknown>,
  };
}

/** What is thrown becomes a failure that the route declares, or our fault. */
function toFailure(error: unknown, declared: ReadonlySet<ErrorCode>): Failure {
  if (error instanceof Failure && declared.has(error.code)) return error;
  return new Failure('internal_error', { cause: error });
}

function actorOf(caller: ProjectCaller | PersonCaller): Actor {
  return caller.kind === 'person'
    ? { kind: 'user', id: caller.uid }
    : { kind: 'key', id: caller.secret_id };
}

function describeCaller(caller: Caller | undefined) {
  if (!caller) return {};
  if (caller.kind === 'refresh') return { caller: caller.kind };
  const { kind, project_id } = caller;
  return { caller: kind, project_id, ...(caller.kind === 'person' && { uid: caller.uid }) };
}

/** What every answer has, of a failure too (OWASP: REST Security Cheat Sheet); the page of documentation has its own policy. */
function standardHeaders(id: string, route: Route, failure: Failure | undefined) {
  return {
    'cache-control': failure ? 'no-store' : (route.cache ?? 'no-store'),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  };
}

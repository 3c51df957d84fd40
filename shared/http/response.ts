import type { Route } from '../contract/route.ts';
import { env } from '../model/env.ts';
import { type CursorScope, nextLink } from './cursor.ts';
import type { Result } from './exchange.ts';
import { etagOf, type IfMatch, isKnown } from './precondition.ts';
import type { HttpResponse } from './problem.ts';
import { EncodedReply, Reply, reply } from './reply.ts';

/** Answers of this instance so far. */
let answers = 0;
/**
 * How many of them are checked uncompiled. zod compiles the check of an object when it first has one to check, which
 * takes 0.2 to 0.7 ms each; later an answer is checked in half the time.
 */
const uncompiled = 10;

/**
 * Converts a handler's result to a response. It is validated, so fields that the contract does not declare never leave.
 *
 * @param request.ifNoneMatch the versions that the client has: for one of them the response is a 304 without a body
 */
export function toResponse<R extends Route>(
  route: R,
  result: Result<R>,
  request: { cursorScope: CursorScope | undefined; ifNoneMatch?: IfMatch | undefined },
): HttpResponse {
  const type = { 'content-type': route.produces ?? 'application/json' };
  const vary = varyOf(route);
  if (result instanceof EncodedReply)
    return {
      statusCode: route.statuses[0],
      headers: { ...type, ...vary, 'content-encoding': result.coding, ...result.headers },
      body: result.bytes.toString('base64'),
      isBase64Encoded: true,
    };
  const { body, options } = result instanceof Reply ? result : reply(result, {});
  const { status = route.statuses[0], located = true, headers, cookies = [], next } = options;
  const { otherwise } = route;
  const isOther = otherwise !== undefined && options.status === otherwise.status;
  answers += 1;
  const jitless = answers <= uncompiled;
  const value = (isOther ? otherwise : route).response.parse(body, { jitless });
  const etag = route.etag && etagOf(value);
  const { cursorScope, ifNoneMatch } = request;
  if (etag && ifNoneMatch && status === 200 && isKnown(ifNoneMatch, etag))
    return { statusCode: 304, headers: { ...vary, etag, ...headers }, body: '' };
  return {
    statusCode: status,
    headers: {
      ...type,
      ...vary,
      ...(etag && { etag }),
      ...(status === 201 && located && route.created && locationOf(route.created, value)),
      ...(next !== undefined &&
        cursorScope && {
          link: nextLink(next, `${env.baseUrl()}${cursorScope.path}`, cursorScope),
        }),
      ...headers,
    },
    ...(cookies.length > 0 && { cookies }),
    body: route.produces === undefined ? JSON.stringify(value) : String(value),
  };
}

/** Where the primary resource that a POST has created is (RFC 9110 section 9.3.3). */
const locationOf = (path: string, created: unknown) => ({
  location: `${env.baseUrl()}${path.replace(/\{(\w+)\}/g, (_, name: string) => String((created as Record<string, unknown>)[name]))}`,
});

/**
 * What a cache compares beside the URL. API Gateway allows one origin in a response, or none where the request names
 * none; a browser that kept that response for one origin would refuse it to the page of another one.
 */
const varyOf = ({ compressed, cache }: Route) =>
  cache !== undefined && { vary: compressed ? 'accept-encoding, origin' : 'origin' };

import type { HeaderSource } from '../header-values.ts';
import {
  type AuthenticateOptions,
  type Authentication,
  type RequestLike,
  toProblem,
} from './authenticate.ts';
import type { Claims } from './verify.ts';

// Each of these refuses with 401 what has no valid token. Errors, such as `KeySetError`, go to the framework: Express,
// Fastify and Hono answer with the status that `KeySetError` and `IntrospectionError` have.

type Authenticates = {
  authenticateRequest(request: RequestLike, options?: AuthenticateOptions): Promise<Authentication>;
};

/** The claims of a request, or the answer that refuses it. */
async function judge(
  backend: Authenticates,
  request: RequestLike,
  options: AuthenticateOptions | undefined,
): Promise<{ claims: Claims } | (ReturnType<typeof toProblem> & { claims?: undefined })> {
  const authentication = await backend.authenticateRequest(request, options);
  return authentication.claims ? authentication : toProblem(authentication);
}

/**
 * Middleware for Hono. Claims are in the context: `c.get('claims')`, with `new Hono<{ Variables: { claims: Claims }
 * }>()`.
 */
export const forHono =
  (backend: Authenticates, options?: AuthenticateOptions) =>
  async (
    c: { req: { raw: { headers: { get(name: string): string | null } } } },
    next: () => Promise<void>,
  ): Promise<Response | undefined> => {
    const verdict = await judge(backend, c.req.raw, options);
    if (!verdict.claims) return new Response(verdict.body, verdict);
    (c as unknown as { set(name: string, value: Claims): void }).set('claims', verdict.claims);
    await next();
    return undefined;
  };

type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
};

/** Middleware for Express 4 and 5. Claims are in `response.locals.claims`. */
export const forExpress =
  (backend: Authenticates, options?: AuthenticateOptions) =>
  async (
    request: RequestLike,
    response: NodeResponse & { locals: { claims: Claims } },
    next: (error?: unknown) => void,
  ): Promise<void> => {
    try {
      const verdict = await judge(backend, request, options);
      if (!verdict.claims) {
        response.statusCode = verdict.status;
        for (const each of Object.entries(verdict.headers)) response.setHeader(...each);
        response.end(verdict.body);
        return;
      }
      response.locals.claims = verdict.claims;
    } catch (error) {
      // Express 4 does not look at promises.
      next(error);
      return;
    }
    next();
  };

type FastifyReply = {
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: string): unknown;
};

/**
 * An `onRequest` hook for Fastify. Claims are in `request.claims`: declare it with `app.decorateRequest('claims')` and
 * as `claims: Claims` in the interface `FastifyRequest`.
 */
export const forFastify =
  (backend: Authenticates, options?: AuthenticateOptions) =>
  async (
    request: { headers: HeaderSource; raw: { rawHeaders: readonly string[] } },
    reply: FastifyReply,
  ): Promise<unknown> => {
    const { headers, raw } = request;
    const verdict = await judge(backend, { headers, rawHeaders: raw.rawHeaders }, options);
    if (verdict.claims) {
      Object.assign(request, { claims: verdict.claims });
      return undefined;
    }
    reply.code(verdict.status);
    reply.headers(verdict.headers);
    return reply.send(verdict.body);
  };

type LambdaEvent = {
  headers?: Readonly<Record<string, string | undefined>> | null | undefined;
};

/** Wraps a Lambda function behind an API Gateway HTTP API (payload format 2.0): the handler also gets the claims. */
export const forLambda =
  <Event extends LambdaEvent, Context, Result>(
    backend: Authenticates,
    handler: (event: Event, claims: Claims, context: Context) => Promise<Result>,
    options?: AuthenticateOptions,
  ) =>
  async (event: Event, context: Context) => {
    const verdict = await judge(backend, { headers: event.headers ?? {} }, options);
    if (verdict.claims) return handler(event, verdict.claims, context);
    const { status, headers, body } = verdict;
    return { statusCode: status, headers, body };
  };

/**
 * A Lambda authorizer for an API Gateway HTTP API, with simple responses (payload format 2.0). The functions behind it
 * find the claims in `event.requestContext.authorizer.lambda`. API Gateway answers a refusal with 403, and with 401 if
 * the identity source `$request.header.Authorization` is missing. It keeps the answer for the authorizer's TTL, in
 * which a token may expire or its session end: let that be 0, or the delay that you accept.
 */
export const forAuthorizer =
  (backend: Authenticates, options?: AuthenticateOptions) =>
  async (event: LambdaEvent): Promise<{ isAuthorized: boolean; context: Partial<Claims> }> => {
    const { claims } = await backend.authenticateRequest({ headers: event.headers ?? {} }, options);
    return claims ? { isAuthorized: true, context: claims } : { isAuthorized: false, context: {} };
  };

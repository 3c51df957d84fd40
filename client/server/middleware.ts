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
    const authentication = await backend.authenticateRequest(c.req.raw, options);
    if (!authentication.claims) {
      const { body, ...init } = toProblem(authentication);
      return new Response(body, init);
    }
    (c as unknown as { set(name: string, value: Claims): void }).set(
      'claims',
      authentication.claims,
    );
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
      const authentication = await backend.authenticateRequest(request, options);
      if (!authentication.claims) {
        const { status, headers, body } = toProblem(authentication);
        response.statusCode = status;
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        response.end(body);
        return;
      }
      response.locals.claims = authentication.claims;
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
 * An `onRequest` hook for Fastify. Claims are in `request.claims`: declare it with `app.decorateRequest('claims',
 * null)` and in the interface `FastifyRequest`.
 */
export const forFastify =
  (backend: Authenticates, options?: AuthenticateOptions) =>
  async (
    request: { headers: HeaderSource; raw: { rawHeaders: readonly string[] } },
    reply: FastifyReply,
  ): Promise<unknown> => {
    const { headers, raw } = request;
    const authentication = await backend.authenticateRequest(
      { headers, rawHeaders: raw.rawHeaders },
      options,
    );
    if (authentication.claims) {
      Object.assign(request, { claims: authentication.claims });
      return undefined;
    }
    const problem = toProblem(authentication);
    reply.code(problem.status);
    reply.headers(problem.headers);
    return reply.send(problem.body);
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
    const authentication = await backend.authenticateRequest(
      { headers: event.headers ?? {} },
      options,
    );
    if (authentication.claims) return handler(event, authentication.claims, context);
    const { status, headers, body } = toProblem(authentication);
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

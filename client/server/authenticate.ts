import type { Introspection } from '../generated/api.ts';
import { type HeaderSource, headerValues } from '../header-values.ts';
import { IntrospectionError } from './introspection-error.ts';
import { type Claims, TokenError } from './verify.ts';

/** A request as far as authentication reads it: a Fetch `Request`, an event of API Gateway, a request of Node. */
export type RequestLike = {
  headers?: HeaderSource | undefined;
  /** Every header as it came, name and value in turn: in `headers`, Node keeps the first of two credentials. */
  rawHeaders?: readonly string[] | undefined;
};

export type AuthenticateOptions = {
  /**
   * Also asks the service whether the session is live at this moment, which costs a request. Offline, a session that
   * has ended is seen when the token expires: up to 10 minutes later, an hour with `act`.
   */
  exact?: boolean | undefined;
  /** The Authorization header alone is read: a cookie would let other sites send requests in the user's name. */
  acceptsCookie?: never;
};

/** A 401 to answer with (RFC 6750 section 3). `unauthenticated`: there was no Bearer token at all. */
export type Refusal = {
  claims?: undefined;
  status: 401;
  headers: { 'www-authenticate': string };
  code: 'unauthenticated' | 'invalid_token' | 'token_expired';
};

/** Who sent a request, or why it is refused. */
export type Authentication =
  | { claims: Claims; status?: undefined; headers?: undefined; code?: undefined }
  | Refusal;

type Verification = {
  verify(token: string): Promise<Claims>;
  introspect(token: string): Promise<Introspection>;
};

/** See `Backend.authenticateRequest`. */
export async function authenticateRequest(
  { verify, introspect }: Verification,
  request: RequestLike,
  { exact = false }: AuthenticateOptions = {},
): Promise<Authentication> {
  const { headers = {}, rawHeaders = [] } = request;
  const credentials = headerValues(headers, 'authorization');
  const rawNames = rawHeaders.filter(
    (text, i) => i % 2 === 0 && text.toLowerCase() === 'authorization',
  );
  const [authorization] = credentials;
  if (authorization === undefined) return refuse('unauthenticated');
  // Of two credentials, a proxy might have judged the other. Fetch and API Gateway join them with a comma.
  if (credentials.length > 1 || rawNames.length > 1 || authorization.includes(','))
    return refuse('invalid_token', 'More than one credential was sent');
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) return refuse('unauthenticated');
  try {
    const claims = await verify(token);
    if (exact && !(await introspect(token).catch(fail)).active)
      throw new TokenError('invalid_token');
    return { claims };
  } catch (error) {
    // Without what it says of a token that anybody may have written.
    if (error instanceof TokenError) return refuse(error.code, new TokenError(error.code).message);
    throw error;
  }
}

function fail(cause: unknown): never {
  throw new IntrospectionError(cause);
}

function refuse(code: Refusal['code'], description?: string): Refusal {
  // RFC 6750 section 3.1: no error code if no token was sent; an expired token is an invalid one.
  const error = description ? `, error="invalid_token", error_description="${description}"` : '';
  return { status: 401, code, headers: { 'www-authenticate': `Bearer realm="user"${error}` } };
}

/** The body of a refusal (RFC 9457), and the headers to answer with. */
export function toProblem({ status, code, headers }: Refusal) {
  return {
    status,
    headers: { ...headers, 'content-type': 'application/problem+json' },
    body: JSON.stringify({ type: 'about:blank', title: 'Unauthorized', status, code }),
  };
}

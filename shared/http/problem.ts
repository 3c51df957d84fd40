import { challenges } from '../access/authenticate.ts';
import type { Route } from '../contract/route.ts';
import { env } from '../model/env.ts';
import { errorCodes } from '../model/error-codes.ts';
import { type ApiError } from '../model/errors.ts';
import { maxErrors } from './json-pointer.ts';
import { oauthMembers } from './oauth-problem.ts';

/** A response for API Gateway (payload format 2.0). */
export type HttpResponse = {
  statusCode: number;
  headers: Record<string, string>;
  /** Each becomes a `Set-Cookie`. */
  cookies?: readonly string[];
  body: string;
  /** The body is base64-encoded bytes. */
  isBase64Encoded?: true;
};

/**
 * Converts a failure to problem+json (RFC 9457), or for OAuth clients to JSON that has both their members and ours.
 * Errors that are not an `ApiError` expose nothing about themselves.
 */
export function toProblem(
  failure: ApiError,
  request: {
    id: string;
    route: Pick<Route, 'auth' | 'problems'>;
    authorization: string | undefined;
  },
): HttpResponse {
  const { status, title } = errorCodes[failure.code];
  const { auth, problems } = request.route;
  const isOauth = problems === 'oauth';
  const challenge = status === 401 ? challenges(auth, failure, request.authorization) : '';
  return {
    statusCode: status,
    headers: {
      'content-type': isOauth ? 'application/json' : 'application/problem+json',
      ...(challenge && { 'www-authenticate': challenge }),
      ...(failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) }),
      ...failure.headers,
    },
    ...(failure.cookies && { cookies: failure.cookies }),
    body: JSON.stringify({
      ...(isOauth && oauthMembers(failure)),
      type: `${env.baseUrl()}/docs/errors#${failure.code}`,
      title,
      status,
      detail: failure.detail,
      code: failure.code,
      request_id: request.id,
      ...(failure.errors && { errors: failure.errors.slice(0, maxErrors) }),
      ...failure.members,
    }),
  };
}

/**
 * The response for a request that bypassed the proxy. It looks like API Gateway's own 403, not like a problem document:
 * such requests are outside the contract.
 */
export const aroundTheProxy: HttpResponse = {
  statusCode: 403,
  // Not the route's own caching rule: a cache would keep the rejection for other clients.
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: '{"message":"Forbidden"}',
};

import { challenges } from '../access/authenticate.ts';
import type { Scheme } from '../contract/route.ts';
import { env } from '../model/env.ts';
import { type ApiError, errorCodes } from '../model/errors.ts';

/** A response as API Gateway takes it (payload format 2.0). */
export type HttpResponse = {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  /** The body is bytes, in base64. */
  isBase64Encoded?: true;
};

/** A failure as problem+json (RFC 9457). Whatever is not a `ApiError` says nothing of itself on the wire. */
export function toProblem(
  failure: ApiError,
  request: { id: string; schemes: readonly Scheme[]; authorization: string | undefined },
): HttpResponse {
  const { status, title } = errorCodes[failure.code];
  const challenge =
    status === 401 ? challenges(request.schemes, failure, request.authorization) : '';
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      ...(challenge && { 'www-authenticate': challenge }),
      ...(failure.retryAfter !== undefined && { 'retry-after': String(failure.retryAfter) }),
      ...failure.headers,
    },
    body: JSON.stringify({
      type: `${env.baseUrl()}/docs/errors#${failure.code}`,
      title,
      status,
      detail: failure.detail,
      code: failure.code,
      request_id: request.id,
      ...(failure.errors && { errors: failure.errors }),
      ...failure.members,
    }),
  };
}

/** What API Gateway itself answers to who may not come in: the contract is about those who may. */
export const aroundTheProxy: HttpResponse = {
  statusCode: 403,
  // Not the route's own rule: another's cache would keep the refusal.
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: '{"message":"Forbidden"}',
};

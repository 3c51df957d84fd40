import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { bodyLimitOf, bodyTypesOf, type RouteSpec } from '../contract/route.ts';
import { ApiError } from '../model/errors.ts';

/**
 * The body as text; undefined if it is not UTF-8. Throws `content_too_large`, or `unsupported_media_type` unless the
 * headers declare uncompressed text of a type of the route in UTF-8.
 */
export function readBodyText(
  { body = '', isBase64Encoded, headers }: APIGatewayProxyEventV2,
  route: Pick<RouteSpec, 'accepts' | 'bodyLimit' | 'method'>,
): string | undefined {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const limit = bodyLimitOf(route);
  if (bytes.length > limit)
    throw new ApiError('content_too_large', { detail: `The body must not exceed ${limit} bytes` });
  const detail = mediaProblem(headers, bodyTypesOf(route));
  if (detail !== undefined)
    throw new ApiError('unsupported_media_type', { detail, headers: acceptedBy(route) });
  return decode(bytes);
}

/** What a 415 says that would be accepted (RFC 9110 section 15.5.16; RFC 5789 section 2.2). */
function acceptedBy(route: Pick<RouteSpec, 'accepts' | 'method'>): Record<string, string> {
  const types = bodyTypesOf(route).join(', ');
  return {
    accept: types,
    ...(route.method === 'PATCH' && { 'accept-patch': types }),
    'accept-encoding': 'identity',
  };
}

/** Which part of the headers keeps the body from being uncompressed text of one of the types in UTF-8. */
function mediaProblem(
  headers: Record<string, string | undefined>,
  types: readonly string[],
): string | undefined {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (!types.includes(type)) return `The body is not ${types.join(' or ')}`;
  if (headers['content-encoding']) return 'The body must not have a Content-Encoding';
  const isUtf8 = parameters.every((each) => /^(?:charset=(?:utf-8|"utf-8"))?$/.test(each));
  return isUtf8 ? undefined : 'The charset must be UTF-8, and no other parameter is allowed';
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The error of a body that is not UTF-8. */
export const notUtf8 = { pointer: '/body', detail: 'Must be UTF-8' };

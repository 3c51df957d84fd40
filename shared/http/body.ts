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
  const types = bodyTypesOf(route);
  if (!types.some((type) => isText(headers, type)))
    throw new ApiError('unsupported_media_type', {
      detail: `The body is not ${types.join(' or ')}`,
    });
  return decode(bytes);
}

function isText(headers: Record<string, string | undefined>, expected: string): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const charset = parameters.map((each) => each.trim().toLowerCase()).filter((each) => each !== '');
  const utf8 = charset.every((each) => each === 'charset=utf-8' || each === 'charset="utf-8"');
  return type.trim().toLowerCase() === expected && utf8 && !headers['content-encoding'];
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

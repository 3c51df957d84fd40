import type * as z from 'zod';
import { bodyLimitOf, isBodyOptional, type RouteSpec } from '../../contract/route.ts';
import { ApiError } from '../../model/errors.ts';
import type { Exchange } from '../exchange.ts';
import { findProblems } from '../json.ts';

/**
 * Prepares a body for the parser: strict JSON text within the route's size limit. Problems are recorded, not thrown, so
 * that the client gets all invalid fields at once; the parser then gets an empty object. Throws `content_too_large` or
 * `unsupported_media_type`.
 */
export function strictJson(route: Pick<RouteSpec, 'bodyLimit'> & { body: z.ZodObject }) {
  const limit = bodyLimitOf(route);
  const optional = isBodyOptional(route.body);
  return {
    before(exchange: Exchange): void {
      const { event, internal } = exchange;
      const { body = '', isBase64Encoded } = event;
      const pass = (text: string) => {
        exchange.event = { ...event, body: text, isBase64Encoded: false };
      };
      // Whatever its content type: some clients send one with every request.
      if (body === '' && optional) return pass('{}');
      const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
      if (bytes.length > limit)
        throw new ApiError('content_too_large', {
          detail: `The body must not exceed ${limit} bytes`,
        });
      if (!isJson(event.headers)) throw new ApiError('unsupported_media_type');
      const text = decode(bytes);
      const errors =
        text === undefined ? [{ pointer: '/body', detail: 'Must be UTF-8' }] : findProblems(text);
      if (errors.length > 0) internal.bodyErrors = errors;
      pass(text === undefined || errors.length > 0 ? '{}' : text);
    },
  };
}

/** Whether the headers declare uncompressed JSON in UTF-8. */
function isJson(headers: Record<string, string | undefined>): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const charset = parameters.map((each) => each.trim().toLowerCase()).filter((each) => each !== '');
  const utf8 = charset.every((each) => each === 'charset=utf-8' || each === 'charset="utf-8"');
  return type.trim().toLowerCase() === 'application/json' && utf8 && !headers['content-encoding'];
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

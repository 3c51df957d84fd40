import type * as z from 'zod';
import { isBodyOptional, type RouteSpec } from '../../contract/route.ts';
import { notUtf8, readBodyText } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { findProblems } from '../json.ts';

/**
 * Prepares a body for the parser: strict JSON text within the route's size limit. Problems are recorded, not thrown, so
 * that the client gets all invalid fields at once. The parser gets the text if only values are wrong, else an empty
 * object. Throws `content_too_large` or `unsupported_media_type`.
 */
export function strictJson(route: Pick<RouteSpec, 'bodyLimit' | 'method'> & { body: z.ZodObject }) {
  const optional = isBodyOptional(route.body);
  return {
    before(exchange: Exchange): void {
      const { event, internal } = exchange;
      const pass = (text: string) => {
        exchange.event = { ...event, body: text, isBase64Encoded: false };
      };
      // Whatever its content type: some clients send one with every request.
      if (!event.body && optional) return pass('{}');
      const text = readBodyText(event, route);
      const { errors, unreadable } =
        text === undefined ? { errors: [notUtf8], unreadable: true } : findProblems(text);
      if (errors.length > 0) Object.assign(internal, { bodyErrors: errors, unreadable });
      pass(text === undefined || unreadable ? '{}' : text);
    },
  };
}

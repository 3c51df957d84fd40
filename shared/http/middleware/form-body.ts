import type * as z from 'zod';
import { isBodyOptional, type RouteSpec } from '../../contract/route.ts';
import { notUtf8, readBodyText } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { readPairs } from '../pairs.ts';

/**
 * Reads a form (`application/x-www-form-urlencoded`) within the route's size limit into an object of strings. Problems
 * are recorded, as those of JSON. Throws `content_too_large` or `unsupported_media_type`.
 */
export function formBody(
  route: Pick<RouteSpec, 'accepts' | 'bodyLimit' | 'method'> & { body: z.ZodObject },
) {
  const optional = isBodyOptional(route.body);
  return {
    before(exchange: Exchange): void {
      const { event, internal } = exchange;
      const pass = (values: Record<string, string>) =>
        void Object.assign(exchange, { event: { ...event, body: values } });
      if (!event.body && optional) return pass({});
      const text = readBodyText(event, route);
      const { values, errors } =
        text === undefined
          ? { values: {}, errors: [notUtf8] }
          : readPairs(text, 'body', route.body);
      if (errors.length > 0) Object.assign(internal, { bodyErrors: errors, unreadable: true });
      pass(values);
    },
  };
}

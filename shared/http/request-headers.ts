import { changes, type RouteSpec } from '../contract/route.ts';
import type { FieldError } from '../model/errors.ts';
import { idempotencyKeyHint, readIdempotencyKey } from './idempotency-key.ts';
import { pointerTo } from './json-pointer.ts';
import { type IfMatch, ifMatchHint, readIfMatch } from './precondition.ts';

/** What the headers of a request say on how it is to be done. */
export type RequestHeaders = {
  idempotencyKey?: string | undefined;
  ifMatch?: IfMatch | undefined;
};

/**
 * Reads `Idempotency-Key` and `If-Match` of a request that changes something, and notes what is wrong with them. A
 * precondition that could not be kept is refused: whoever names a version must not overwrite another one.
 */
export function readHeaders(
  route: RouteSpec,
  headers: Record<string, string | undefined>,
  errors: FieldError[],
): RequestHeaders {
  if (!changes(route)) return {};
  const read = <T>(name: string, rule: string, parse: (text: string) => T | undefined) => {
    const text = headers[name];
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined)
      errors.push({ pointer: pointerTo('headers', name), detail: rule });
    return value;
  };
  return {
    idempotencyKey: read('idempotency-key', idempotencyKeyHint, readIdempotencyKey),
    ifMatch: route.ifMatch
      ? read('if-match', ifMatchHint, readIfMatch)
      : read('if-match', 'Not supported by this operation', () => undefined),
  };
}

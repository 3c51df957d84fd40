import { changes, type RouteSpec } from '../contract/route.ts';
import type { FieldError } from '../model/errors.ts';
import { idempotencyKeyHint, readIdempotencyKey } from './idempotency-key.ts';
import { pointerTo } from './json-pointer.ts';
import { type IfMatch, ifMatchHint, readIfMatch } from './precondition.ts';

/** The headers that control how a request is executed. */
export type RequestHeaders = {
  idempotencyKey?: string | undefined;
  ifMatch?: IfMatch | undefined;
};

/**
 * Reads `Idempotency-Key` and `If-Match` of a request that changes something, and adds errors for invalid ones.
 * `If-Match` on a route that cannot check it is rejected, because the client relies on not overwriting another version.
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

import { isRevalidated, type RouteSpec, takesIdempotencyKey } from '../contract/route.ts';
import type { FieldError } from '../model/errors.ts';
import { idempotencyKeyHint, readIdempotencyKey } from './idempotency-key.ts';
import { pointerTo } from './json-pointer.ts';
import { type IfMatch, ifMatchHint, readIfMatch } from './precondition.ts';

/** The headers that control how a request is executed. */
export type RequestHeaders = {
  idempotencyKey?: string | undefined;
  ifMatch?: IfMatch | undefined;
  /** The versions that the client has. */
  ifNoneMatch?: IfMatch | undefined;
};

/**
 * Reads `Idempotency-Key` and `If-Match` of a request that changes something, and adds errors for invalid ones. A
 * precondition that such a route cannot check is rejected, because the client relies on not overwriting another
 * version: `If-None-Match` on all of them, `If-Match` on some. Where the response to a GET has an `ETag`, an
 * `If-None-Match` that cannot be read is as none: the whole response is never wrong.
 */
export function readHeaders(
  route: RouteSpec,
  headers: Record<string, string | undefined>,
  errors: FieldError[],
): RequestHeaders {
  if (isRevalidated(route)) return { ifNoneMatch: readIfMatch(headers['if-none-match'] ?? '') };
  if (!takesIdempotencyKey(route)) return {};
  const read = <T>(name: string, rule: string, parse: (text: string) => T | undefined) => {
    const text = headers[name];
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined)
      errors.push({ pointer: pointerTo('headers', name), detail: rule });
    return value;
  };
  const reject = (name: string) => read(name, 'Not supported by this operation', () => undefined);
  reject('if-none-match');
  return {
    idempotencyKey: read('idempotency-key', idempotencyKeyHint, readIdempotencyKey),
    ifMatch: route.ifMatch ? read('if-match', ifMatchHint, readIfMatch) : reject('if-match'),
  };
}

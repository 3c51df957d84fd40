import { canonicalJson } from '../model/canonical-json.ts';
import type { FieldError } from '../model/errors.ts';

/** Divides a body into what it asks to change and what it only takes back as it was read. */
export function divide<B extends object, K extends keyof B & string>(
  body: B,
  readOnly: Record<K, unknown>,
): { changes: Omit<B, K>; asRead: Pick<B, K> } {
  const pick = (only: boolean) =>
    Object.fromEntries(
      Object.entries(body).filter(([name]) => Object.hasOwn(readOnly, name) === only),
    );
  return { changes: pick(false) as Omit<B, K>, asRead: pick(true) as Pick<B, K> };
}

/** Whether an object names nothing. */
export const isEmpty = (fields: object): boolean =>
  Object.values(fields).every((value) => value === undefined);

/**
 * The fields that were sent with another value than the resource shows.
 *
 * @param at JSON Pointer of the object in the request
 */
export function changedFields(sent: object, shown: object, at = '/body'): FieldError[] {
  const now = new Map<string, unknown>(Object.entries(shown));
  return Object.entries(sent)
    .filter(([name, value]) => canonicalJson(value) !== canonicalJson(now.get(name)))
    .map(([name]) => ({
      pointer: `${at}/${name}`,
      detail: 'Read-only: omit it or send its current value',
    }));
}

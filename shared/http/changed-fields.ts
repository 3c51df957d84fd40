import { canonicalJson } from '../model/canonical-json.ts';
import type { FieldError } from '../model/errors.ts';

/** Splits a body into the fields to change and the read-only fields that were sent back. */
export function divide<B extends object, K extends keyof B & string>(
  body: B,
  readOnly: Record<K, unknown>,
): { changes: Omit<B, K>; readOnly: Pick<B, K> } {
  const pick = (only: boolean) =>
    Object.fromEntries(
      Object.entries(body).filter(([name]) => Object.hasOwn(readOnly, name) === only),
    );
  return { changes: pick(false) as Omit<B, K>, readOnly: pick(true) as Pick<B, K> };
}

/** Whether an object has no field with a value. */
export const isEmpty = (fields: object): boolean =>
  Object.values(fields).every((value) => value === undefined);

/**
 * Field errors for the fields that were sent with a value other than the current one.
 * @param at JSON Pointer of the object in the request
 */
export function changedFields(sent: object, current: object, at = '/body'): FieldError[] {
  const now = new Map<string, unknown>(Object.entries(current));
  return Object.entries(sent)
    .filter(([name, value]) => canonicalJson(value) !== canonicalJson(now.get(name)))
    .map(([name]) => ({
      pointer: `${at}/${name}`,
      detail: 'Read-only: omit it or send its current value',
    }));
}

import type * as z from 'zod';
import type { FieldError } from '../model/errors.ts';
import { type Part, pointerTo } from './json-pointer.ts';

/** Fields of a query or form. A broken escape costs microseconds in each field, and a form has room for 20,000. */
const maxFields = 100;

/**
 * Reads the parameters of a query or form (`application/x-www-form-urlencoded`). Each may occur once, because two
 * readers could take different ones, and must be UTF-8: U+FFFD marks bytes that were not.
 *
 * A schema that ignores unknown parameters follows RFC 6749 section 3.1: they may even be repeated, and a parameter
 * without a value counts as omitted.
 */
export function readPairs(
  text: string,
  part: Part,
  schema: z.ZodObject,
): { values: Record<string, string>; errors: FieldError[] } {
  if (text.split('&').length > maxFields)
    return { values: {}, errors: [{ pointer: pointerTo(part), detail: 'Too many fields' }] };
  // `z.object` drops fields that it does not have; `z.strictObject` rejects them.
  const ignoring = schema.def.catchall === undefined;
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  const problems = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (ignoring && !Object.hasOwn(schema.shape, name)) continue;
    if (Object.hasOwn(values, name)) problems.set(name, 'Duplicate field');
    if (`${name}${value}`.includes('\ufffd')) problems.set(name, 'Must be UTF-8');
    values[name] = value;
  }
  const sent = Object.entries(values).filter(([, value]) => !ignoring || value !== '');
  return {
    values: Object.fromEntries(sent),
    errors: [...problems].map(([name, detail]) => ({ pointer: pointerTo(part, name), detail })),
  };
}

import { headerPatterns } from '../contract/headers.ts';
import { limits } from '../model/limits.ts';

const { min, max } = limits.idempotencyKey;
const form = new RegExp(headerPatterns.idempotencyKey);

/** Error detail for an invalid Idempotency-Key. */
export const idempotencyKeyHint = `Must be ${min} to ${max} letters, digits or ._~:+/=-, such as a UUID`;

/** Reads the key from the header, with or without the quotes of a structured field (RFC 9651); undefined if invalid. */
export function readIdempotencyKey(header: string): string | undefined {
  return form.test(header) ? header.replaceAll('"', '') : undefined;
}

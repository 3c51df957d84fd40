import { headerPatterns } from '../contract/headers.ts';
import { limits } from '../model/limits.ts';

const { min, max } = limits.idempotencyKey;
const form = new RegExp(headerPatterns.idempotencyKey);

/** What is wrong with an Idempotency-Key that does not read. */
export const idempotencyKeyHint = `Must be ${min} to ${max} letters, digits or ._~:+/=-, such as a UUID`;

/** The key of the header, with or without the quotes of a structured field (RFC 9651); undefined where it is none. */
export function readIdempotencyKey(header: string): string | undefined {
  return form.test(header) ? header.replaceAll('"', '') : undefined;
}

import type * as z from 'zod';
import { headerPatterns } from '../contract/headers.ts';
import type { Item } from '../db/item.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError } from '../model/errors.ts';
import { sha256 } from '../model/ids.ts';

/** The strong entity tag (RFC 9110 section 8.8.3) of a representation: 132 bits of its digest, in whatever order. */
export const etagOf = (representation: unknown): string =>
  `"${sha256(canonicalJson(representation)).slice(0, 22)}"`;

/** The entity tags that `If-Match` lists; `*` is any. */
export type IfMatch = '*' | readonly string[];

const form = new RegExp(headerPatterns.ifMatch);

/** What is wrong with an `If-Match` that does not read. */
export const ifMatchHint = 'Must be * or quoted entity tags, as in an ETag header';

/** Reads `If-Match` (RFC 9110 section 13.1.1); undefined where it does not read. */
export function readIfMatch(header: string): IfMatch | undefined {
  const text = header.trim();
  if (text === '*') return '*';
  return form.test(text)
    ? (text.match(new RegExp(headerPatterns.entityTag, 'g')) ?? [])
    : undefined;
}

/** Whether `If-Match` names this representation. A weak tag never matches. */
const matchesEtag = (ifMatch: IfMatch, etag: string): boolean =>
  ifMatch === '*' || ifMatch.includes(etag);

/**
 * Makes the check of `If-Match` for resources of one schema. What is compared was read before: so that nothing comes
 * between, the change expects the item to be as it was read.
 */
export const matching =
  (ifMatch: IfMatch, schema: z.ZodType, expected: Item[]): Match =>
  (item, representation) => {
    if (!matchesEtag(ifMatch, etagOf(schema.parse(representation))))
      throw new ApiError('precondition_failed');
    expected.push(item);
  };

/** Compares a resource with what `If-Match` names, and holds the change to it. Throws `precondition_failed`. */
export type Match = (item: Item, representation: unknown) => void;

import type * as z from 'zod';
import { headerPatterns } from '../contract/headers.ts';
import type { Item } from '../db/item.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError } from '../model/errors.ts';
import { sha256 } from '../model/ids.ts';

/**
 * The strong entity tag (RFC 9110 section 8.8.3) of a representation: 132 bits of a digest that does not depend on the
 * order of fields.
 */
export const etagOf = (representation: unknown): string =>
  `"${sha256(canonicalJson(representation)).slice(0, 22)}"`;

/** The entity tags in `If-Match` or `If-None-Match`; `*` matches any. */
export type IfMatch = '*' | readonly string[];

const form = new RegExp(headerPatterns.ifMatch);

/** Error detail for an invalid `If-Match`. */
export const ifMatchHint = 'Must be * or quoted entity tags, as in an ETag header';

/** Reads `If-Match` or `If-None-Match` (RFC 9110 section 13.1); undefined if invalid. */
export function readIfMatch(header: string): IfMatch | undefined {
  const text = header.trim();
  if (text === '*') return '*';
  return form.test(text)
    ? (text.match(new RegExp(headerPatterns.entityTag, 'g')) ?? [])
    : undefined;
}

/** Whether `If-Match` has the entity tag of this representation. A weak tag never matches. */
const matchesEtag = (ifMatch: IfMatch, etag: string): boolean =>
  ifMatch === '*' || ifMatch.includes(etag);

/** Whether `If-None-Match` has the entity tag of this representation, also as a weak one (RFC 9110 section 13.1.2). */
export const isKnown = (ifNoneMatch: IfMatch, etag: string): boolean =>
  ifNoneMatch === '*' || ifNoneMatch.some((tag) => tag === etag || tag === `W/${etag}`);

/**
 * Creates the `If-Match` check for resources of one schema. The compared item was read before the commit, so the change
 * also requires that the item is unchanged since it was read.
 */
export const matching =
  (ifMatch: IfMatch, schema: z.ZodType, expected: Item[]): Match =>
  (item, representation) => {
    if (!matchesEtag(ifMatch, etagOf(schema.parse(representation))))
      throw new ApiError('precondition_failed');
    expected.push(item);
  };

/** Checks a resource against `If-Match`, and makes the change depend on it. Throws `precondition_failed`. */
export type Match = (item: Item, representation: unknown) => void;

import { limits } from '../model/limits.ts';

const { min, max } = limits.idempotencyKey;
const key = `[\\w.~:+/=-]{${min},${max}}`;
const entityTag = '(?:W/)?"[\\x21\\x23-\\x7e]*"';

/** Patterns of request headers, in the regular expressions of JSON Schema: no flags. */
export const headerPatterns = {
  /** A key, with or without the quotes of a structured field (RFC 9651). */
  idempotencyKey: `^(?:"${key}"|${key})$`,
  /** `*` or a list of entity tags (RFC 9110 sections 8.8.3 and 13.1.1), of which elements may be empty (5.6.1.2). */
  ifMatch: `^(?:\\*|[ \\t,]*${entityTag}(?:[ \\t]*,[ \\t,]*${entityTag})*[ \\t,]*)$`,
  entityTag,
} as const;

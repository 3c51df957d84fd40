/** What a request consists of, for whoever reads its errors. */
export type Part = 'path' | 'query' | 'body' | 'headers';

/** A JSON Pointer (RFC 6901) from the part of the request downwards: `/body/photos/0/value`. */
export const pointerTo = (part: Part, ...names: PropertyKey[]): string =>
  ['', part, ...names.map(escape)].join('/');

/** Wrong places that one answer names: each repeats its pointer, so more would let a small body ask for a huge answer. */
export const maxErrors = 20;

function escape(name: PropertyKey): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The parts of a request that error pointers start with. */
export type Part = 'path' | 'query' | 'body' | 'headers';

/** Characters of a name in a pointer. It is cut there: a name may be as long as the body, and each error repeats it. */
const maxName = 256;

/** A JSON Pointer (RFC 6901) starting at a part of the request: `/body/photos/0/value`. */
export const pointerTo = (part: Part, ...names: PropertyKey[]): string =>
  ['', part, ...names.map(escape)].join('/');

/**
 * Maximum number of errors in a response. Each repeats its pointer, so without a limit a small body could cause a huge
 * response.
 */
export const maxErrors = 20;

function escape(name: PropertyKey): string {
  return String(name).slice(0, maxName).replaceAll('~', '~0').replaceAll('/', '~1');
}

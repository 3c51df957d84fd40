/** The parts of a request that error pointers start with. */
export type Part = 'path' | 'query' | 'body' | 'headers';

/** A JSON Pointer (RFC 6901) starting at a part of the request: `/body/photos/0/value`. */
export const pointerTo = (part: Part, ...names: PropertyKey[]): string =>
  ['', part, ...names.map(escape)].join('/');

/**
 * Maximum number of errors in a response. Each repeats its pointer, so without a limit a small body could cause a huge
 * response.
 */
export const maxErrors = 20;

function escape(name: PropertyKey): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

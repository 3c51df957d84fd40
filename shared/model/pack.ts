/**
 * Divides a list, in its order, into chunks of at most so many elements and bytes. An element that is larger has a chunk
 * of its own.
 */
export function pack<T>(
  all: Iterable<T>,
  max: { elements: number; bytes: number },
  bytesOf: (each: T) => number,
): T[][] {
  const chunks: T[][] = [];
  let bytes = 0;
  for (const each of all) {
    const size = bytesOf(each);
    const last = chunks.at(-1);
    if (last && last.length < max.elements && bytes + size <= max.bytes) last.push(each);
    else {
      chunks.push([each]);
      bytes = 0;
    }
    bytes += size;
  }
  return chunks;
}

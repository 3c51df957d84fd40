/** A change of a source, applied when bundling or testing; the working tree is not changed. */
export type Planted = { file: string; find: string; replace: string };

/** Throws unless the source contains the text to replace exactly once. */
export function plant(source: string, { file, find, replace }: Planted): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} holds ${JSON.stringify(find)} ${more.length + 1} times, not once.`);
  return `${before}${replace}${after}`;
}

/** A change of a source, applied when bundling or testing; the working tree is not changed. */
export type Planted = { file: string; find: string; replace: string };

/** Throws unless the source contains the text to replace exactly once. */
export function plant(source: string, { file, find, replace }: Planted): string {
  const parts = source.split(find);
  const [before, after] = parts;
  if (before === undefined || after === undefined || parts.length > 2)
    throw new Error(`${file} holds ${JSON.stringify(find)} ${parts.length - 1} times, not once.`);
  return `${before}${replace}${after}`;
}

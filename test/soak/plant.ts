/** One change of a source, where it is bundled or tested; the working tree stays as it is. */
export type Planted = { file: string; find: string; replace: string };

/** Throws where the source does not hold what is to be replaced exactly once. */
export function plant(source: string, { file, find, replace }: Planted): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} holds ${JSON.stringify(find)} ${more.length + 1} times, not once.`);
  return `${before}${replace}${after}`;
}

import { inject } from 'vitest';

/**
 * Does so many things at once. On the second engine twenty at a time, each as another ends: it is so slow that the last of
 * a hundred would wait past the bound of a call.
 */
export async function atOnce<T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const width = inject('engineName') === 'dynoxide' ? times : 20;
  const numbers = Array.from({ length: times }, (_, i) => i).values();
  const results: T[] = [];
  const oneByOne = async () => {
    for (const i of numbers) results.push(await work(i));
  };
  await Promise.all(Array.from({ length: width }, oneByOne));
  return results;
}

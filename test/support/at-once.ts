import { inject } from 'vitest';
import { env } from '#shared/model/env.ts';

/**
 * Does so many things at once: forty at a time, each as another ends, and twenty on what is slower: the second engine,
 * and the SDK's transport. More would wait past the bound of a call on a busy machine. Nothing goes on after it, into
 * the next test, if one fails.
 */
export async function atOnce<T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const width = inject('engineName') === 'dynoxide' && env.tableTransport() !== 'sdk' ? 40 : 20;
  const numbers = Array.from({ length: times }, (_, i) => i).values();
  const results: T[] = [];
  const oneByOne = async () => {
    for (const i of numbers) results.push(await work(i));
  };
  const ended = await Promise.allSettled(Array.from({ length: width }, oneByOne));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return results;
}

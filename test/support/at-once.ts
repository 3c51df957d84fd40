import { inject } from 'vitest';
import { env } from '#shared/model/env.ts';

/**
 * Runs `work` the given number of times, forty at a time, or twenty with the slower second engine or the SDK's
 * transport. With more, calls would time out on a busy machine. If one fails, it still waits for the others, so that
 * none runs into the next test.
 */
export async function atOnce<T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const concurrency =
    inject('engineName') === 'dynoxide' && env.tableTransport() !== 'sdk' ? 40 : 20;
  const numbers = Array.from({ length: times }, (_, i) => i).values();
  const results: T[] = [];
  const oneByOne = async () => {
    for (const i of numbers) results.push(await work(i));
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, oneByOne));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return results;
}

import type { Terminal } from '../flags.ts';

/**
 * Works on several things at a time and settles them in their order, so that a checkpoint after each says what is done
 * from the beginning on.
 *
 * @param signal ends the run after what is under way
 */
export async function inOrder<B, R>(
  things: AsyncIterable<B> | Iterable<B>,
  {
    width,
    signal,
    work,
    settle,
  }: {
    width: number;
    signal: AbortSignal;
    work: (thing: B) => Promise<R>;
    settle: (thing: B, result: R) => Promise<void>;
  },
): Promise<void> {
  const running: { thing: B; result: Promise<R> }[] = [];
  const settleFirst = async () => {
    const first = running.shift();
    if (first) await settle(first.thing, await first.result);
  };
  for await (const thing of things) {
    if (signal.aborted) break;
    const result = work(thing);
    // It is awaited in its turn; until then a failure is not unhandled.
    result.catch(() => {});
    running.push({ thing, result });
    if (running.length >= width) await settleFirst();
  }
  while (running.length > 0) await settleFirst();
}

/** The results of things, in their order, of which `width` are worked on at a time. */
export async function mapInOrder<B, R>(
  things: Iterable<B>,
  width: number,
  work: (thing: B) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const { signal } = new AbortController();
  const settle = async (_: B, result: R) => void results.push(result);
  await inOrder(things, { width, signal, work, settle });
  return results;
}

/** Ends a run at the first Ctrl-C after what is under way; the second ends the process. Listens until it is disposed of. */
export function untilInterrupted({
  stderr,
}: Pick<Terminal, 'stderr'>): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const stop = () => {
    stderr.write('\nStopping after the requests under way …\n');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const each of signals) process.once(each, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const each of signals) process.off(each, stop);
    },
  };
}

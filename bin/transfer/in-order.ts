/**
 * Processes several items at a time and settles them in order, so that everything before a checkpoint is done.
 *
 * @param signal ends the run after the items in progress
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
    // It is awaited in order; until then its rejection must not count as unhandled.
    result.catch(() => {});
    running.push({ thing, result });
    if (running.length >= width) await settleFirst();
  }
  while (running.length > 0) await settleFirst();
}

/** The results of items, in order; `width` items are processed at a time. */
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

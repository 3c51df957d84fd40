import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded, with `--expose-gc`, before a server that is watched: answers its parent with the memory that it holds. */

/** Bytes. */
export type Memory = {
  /** Of the process, as the system counts it. */
  rss: number;
  /** Of JavaScript objects that are in use, right after a collection. */
  heap: number;
  /** Of buffers and the like, which JavaScript objects hold. */
  external: number;
  /** Milliseconds for which the server did nothing else at a time, the longest since the last answer. */
  stall: number;
};

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();

process.on('message', (message) => {
  if (message !== 'memory') return;
  const stall = delay.max / 1e6;
  globalThis.gc?.();
  const { rss, heapUsed: heap, external } = process.memoryUsage();
  process.send?.({ memory: { rss, heap, external, stall } satisfies Memory });
  delay.reset();
});
// A server that its parent leaves behind ends.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

import { channel } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded before a server under measurement: answers its parent with what the process uses. */

export type Usage = {
  /** Microseconds of processor time since the start, user and system, of all threads. */
  cpu: number;
  /** Calls to DynamoDB and Secrets Manager since the start. */
  calls: number;
  /** Bytes of the process, as the system counts them. */
  rss: number;
  /** Bytes of JavaScript objects; with --expose-gc of those in use, right after a collection. */
  heap: number;
  /** Bytes of buffers, which JavaScript objects hold. */
  external: number;
  /** Milliseconds of the longest stall since the last answer: the event loop did nothing else. */
  stall: number;
};

let calls = 0;
channel('http.client.request.created').subscribe(() => {
  calls += 1;
});
const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();

process.on('message', (message) => {
  if (message !== 'usage') return;
  const stall = delay.max / 1e6;
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  const { rss, heapUsed: heap, external } = process.memoryUsage();
  process.send?.({ cpu: user + system, calls, rss, heap, external, stall } satisfies Usage);
  delay.reset();
});
// An orderly end, so that a processor profile is written.
process.on('disconnect', () => process.exit(0));

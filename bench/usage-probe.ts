import { channel } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sendings } from '../shared/db/transport/http.ts';

/** Loaded before a measured server: reports the process's usage to its parent. */

export type Usage = {
  /** CPU microseconds since the start, user and system, of all threads. */
  cpu: number;
  /** Calls to DynamoDB and Secrets Manager since the start. */
  calls: number;
  /** Resident bytes of the process. */
  rss: number;
  /** Bytes of JavaScript objects; with --expose-gc only live ones, right after a collection. */
  heap: number;
  /** Bytes of buffers that JavaScript objects hold. */
  external: number;
  /** Longest stall of the event loop in milliseconds since the last report. */
  stall: number;
};

let calls = 0;
for (const requests of [channel('http.client.request.created'), sendings])
  requests.subscribe(() => {
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
// Exits normally, so that a CPU profile is written.
process.on('disconnect', () => process.exit(0));

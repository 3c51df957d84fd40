import { channel } from 'node:diagnostics_channel';

/** Loaded before a server under measurement: answers its parent with what the process has used so far. */

/** What a server process has used since its start. */
export type Usage = {
  /** Microseconds of processor time, user and system, of all its threads. */
  cpu: number;
  /** Calls to DynamoDB and Secrets Manager. */
  calls: number;
};

let calls = 0;
channel('http.client.request.created').subscribe(() => {
  calls += 1;
});

process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ usage: { cpu: user + system, calls } satisfies Usage });
});
// An orderly end, so that a processor profile is written.
process.on('disconnect', () => process.exit(0));

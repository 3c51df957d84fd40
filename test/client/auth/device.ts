/** A client on a device with a wrong clock. It is a worker, because the service runs in the process of the test. */
import { parentPort, workerData } from 'node:worker_threads';
import { createAuth } from '../../../client/auth.ts';

export type Device = {
  url: string;
  projectId: string;
  email: string;
  password: string;
  wrong: number;
};
/**
 * The number of refreshes: at first, after both clocks went on, after sleep, after waking, and after the clock was set
 * back.
 */
export type Refreshes = Record<'atFirst' | 'later' | 'slept' | 'awake' | 'setBack', number>;

const { url, projectId, email, password, wrong } = workerData as Device;
let refreshes = 0;
const auth = createAuth({
  url,
  projectId,
  fetch: (input, init) => {
    if (new URL(input).pathname.endsWith('/refresh')) refreshes += 1;
    return fetch(input, init);
  },
});

/** Milliseconds that each clock is ahead of the true time. */
const ahead = { date: wrong, performance: 0 };
const { now } = Date;
const monotonic = performance.now.bind(performance);
Date.now = () => now() + ahead.date;
performance.now = () => monotonic() + ahead.performance;

async function count(): Promise<number> {
  await auth.getAccessToken();
  await auth.api.users.getMe({});
  return refreshes;
}

const almost = 595_000;
await auth.signIn.password({ email, password });
const atFirst = await count();
ahead.date += almost;
ahead.performance += almost;
const later = await count();
// During sleep the monotonic clock may stop.
ahead.date += almost;
const slept = await count();
// Time goes on, and the user sets the clock back by the same amount.
ahead.performance += almost;
const awake = await count();
ahead.date -= 3_600_000;
const setBack = await count();
const result: Refreshes = { atFirst, later, slept, awake, setBack };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has none
parentPort?.postMessage(result);

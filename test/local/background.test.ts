/** @module-tag proof */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Mail } from '../../local/aws/ses.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { startProxy } from '../faults/proxy.ts';
import { post, type Ready, serve } from '../support/server.ts';

/** Requests a mail, and waits until it was sent. */
async function mailTo(ready: Ready, email: string): Promise<void> {
  expect((await post(ready, '/sign-up', { project_id: 'demo', email })).status).toBe(202);
  const sent = async () => (await fetch(`${ready.url}/_local/mail.json`)).json() as Promise<Mail[]>;
  await expect
    .poll(async () => (await sent()).map(({ to }) => to), { timeout: 20_000 })
    .toContain(email);
}

test('an idle service stops calling the table, and handles a new write without waiting for the next poll', async () => {
  const engine = await startEngine();
  onTestFinished(() => engine.close());
  const proxy = await startProxy({ engine: () => engine.endpoint, record: false });
  onTestFinished(() => proxy.close());
  const { ready, child, exit } = await serve(['--memory'], {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  await mailTo(ready, 'ada@example.com');
  const callsInTwoSeconds = async () => {
    const before = proxy.counts.calls;
    await sleep(2_000);
    return proxy.counts.calls - before;
  };
  await expect.poll(callsInTwoSeconds, { timeout: 30_000 }).toBe(0);

  const read = Promise.withResolvers<void>();
  proxy.choose(({ operation }) => void (operation === 'GetRecords' && read.resolve()));
  await read.promise;
  const began = performance.now();
  await mailTo(ready, 'bob@example.com');
  // Without the announcement, it would be read five seconds after the last read.
  expect(performance.now() - began).toBeLessThan(4_000);
});

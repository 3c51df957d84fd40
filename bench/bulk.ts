/**
 * Invites 500 new e-mails with messages of 80 characters in one request, while the service has 0.58 of a processor: what
 * Lambda gives to a function of 1,024 MB.
 *
 *     npm run bench:bulk                one request, with an Idempotency-Key
 *     npm run bench:bulk -- --bundles   the bundles that are deployed
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer } from './child.ts';
import { ask, exchange } from './load.ts';
import { openTable } from './table.ts';

const { bundles } = parseArgs({ options: { bundles: { type: 'boolean', default: false } } }).values;
/** Milliseconds of which the service runs 58 %. Its waiting for the engine is cut too, which Lambda's is not. */
const period = 100;
const share = 0.58;

const { engine, environment } = await openTable();
const service = await startServer('service.ts', environment, {
  args: bundles ? ['--bundles'] : [],
});
const measuring = new AbortController();
try {
  const { project_id = '', secret = '' } = service.ready;
  const authorization = `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
  const make = async (path: string, body: object) =>
    (await exchange(service.url, { method: 'POST', path, authorization, body })) as {
      uid?: string;
      workspace_id?: string;
    };
  const { uid } = await make('/users', { email: 'owner@example.com' });
  const { workspace_id } = await make('/workspaces', { name: 'Bulk', owner_id: uid });
  const invitations = Array.from({ length: 500 }, (_, i) => ({
    email: `person.number-${i}@example.com`,
    role: 'member',
    message: `${randomUUID()} ${randomUUID()}`.padEnd(80, '.'),
  }));
  const before = await service.usage();
  const throttling = throttle();
  const began = performance.now();
  const { status, text } = await ask(service.url, {
    method: 'POST',
    path: `/workspaces/${workspace_id}/invitations`,
    authorization,
    idempotencyKey: randomUUID(),
    body: { invitations },
  });
  const seconds = (performance.now() - began) / 1_000;
  measuring.abort();
  await throttling;
  const after = await service.usage();
  const { invited } = JSON.parse(text) as { invited?: number };
  const cpu = (after.cpu - before.cpu) / 1_000_000;
  console.log(
    `${status}, ${invited} invited, ${seconds.toFixed(1)} s, ${cpu.toFixed(2)} s of processor time, ` +
      `${after.calls - before.calls} calls, answer of ${text.length} bytes`,
  );
} finally {
  measuring.abort();
  await service.stop();
  await engine.close();
}

/** Lets the service run for its share of each period alone. */
async function throttle(): Promise<void> {
  while (!measuring.signal.aborted) {
    await sleep(period * share);
    process.kill(service.pid, 'SIGSTOP');
    await sleep(period * (1 - share));
    process.kill(service.pid, 'SIGCONT');
  }
}

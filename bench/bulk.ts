/**
 * Invites 500 new e-mails with messages of 420 characters in one request, as many as its body takes, with 0.58 of a CPU
 * for the service, as Lambda gives a function of 1,024 MB.
 *
 *     npm run bench:bulk                one request, with an Idempotency-Key
 *     npm run bench:bulk -- --bundles   the bundles that are deployed
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { backendOf } from './http.ts';
import { startService } from './service-process.ts';

/**
 * Period in milliseconds, of which the service runs 58 %. Its waits for the engine are interrupted too, unlike on
 * Lambda.
 */
const period = 100;
const share = 0.58;

const { values: flags } = parseArgs({ options: { bundles: { type: 'boolean', default: false } } });
await using service = await startService(flags.bundles);
const backend = backendOf(service);
const { uid } = await backend('POST', '/users', { email: 'owner@example.com' });
const { workspace_id } = await backend('POST', '/workspaces', { name: 'Bulk', owner_id: uid });
const invitations = Array.from({ length: 500 }, (_, i) => ({
  email: `person.number-${i}@example.com`,
  role: 'member',
  message: `${randomUUID()} ${randomUUID()}`.padEnd(420, '.'),
}));

const before = await service.usage();
const began = performance.now();
// Lets the service run for its share of each period.
const stopping = setInterval(() => {
  process.kill(service.pid, 'SIGSTOP');
  setTimeout(() => process.kill(service.pid, 'SIGCONT'), period * (1 - share));
}, period);
const path = `/workspaces/${workspace_id}/invitations`;
const answer = await backend('POST', path, { invitations }, 200);
const seconds = (performance.now() - began) / 1_000;
clearInterval(stopping);
const after = await service.usage();
const cpu = (after.cpu - before.cpu) / 1_000_000;
console.log(
  `${answer['invited']} invited, ${seconds.toFixed(1)} s, ${cpu.toFixed(2)} s of processor time, ` +
    `${after.calls - before.calls} calls, answer of ${JSON.stringify(answer).length} bytes`,
);

/**
 * Cuts the connection of clients that have sent a write with an Idempotency-Key, kills the engine meanwhile, lets each
 * client retry until it gets a response, and verifies in the table that each write was executed once. Exits with 1
 * otherwise.
 *
 *     npm run cuts                        10,000 connections
 *     npm run cuts -- --cuts=500          fewer
 *     npm run cuts -- --seed=7            other moments
 *     npm run cuts -- --kills=100         kills the engine once in this many cuts; 0 for never
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomOf } from '../faults/random.ts';
import { basic } from '../model/tokens.ts';
import { numberOf } from '../support/number.ts';
import { bundleTogether } from './bundles.ts';
import { startClient } from './client.ts';
import { startRig } from './harness.ts';
import type { Caller, SentRequest } from './history.ts';

const { values: flags } = parseArgs({
  options: {
    cuts: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '250' },
    clients: { type: 'string', default: '16' },
  },
});
const wanted = numberOf(flags.cuts);
const seed = numberOf(flags.seed);
const killEvery = numberOf(flags.kills);
const clients = numberOf(flags.clients);
const random = randomOf(seed);

const folder = await mkdtemp(join(tmpdir(), 'cuts-'));
await bundleTogether(folder);
const rig = await startRig({ bundles: folder, seed, choose: () => undefined });
const client = startClient(rig.url);
const [project] = rig.projects;
if (!project) throw new Error('There is no project.');
const as: Caller = { kind: 'project', project_id: project.project_id };
const authorization = basic(project);

const counts = { cut: 0, answered: 0, replayed: 0, waited: 0, unavailable: 0 };
const wrong: string[] = [];
/** The number of acknowledged writes, by the item that counts them. */
const expected = new Map<string, number>();
const expect = (of: string) => expected.set(of, (expected.get(of) ?? 0) + 1);

/** Sends a write, mostly with a cut connection; retries until there is a response, and then once more. */
async function persist(asked: SentRequest): Promise<Record<string, unknown>> {
  const keyed = { ...asked, key: randomUUID() };
  let answered = await client.send(keyed, authorization, random() * 12);
  if (answered.status === undefined) counts.cut += 1;
  else counts.answered += 1;
  for (let turn = 0; answered.status === undefined || answered.status >= 409; turn += 1) {
    if (answered.status === 409) counts.waited += 1;
    if (answered.status === 503) counts.unavailable += 1;
    const goesOn = answered.status === undefined || [409, 429, 503].includes(answered.status);
    if (!goesOn || turn > 200)
      throw new Error(`${asked.name}: ${answered.status} ${answered.text}`);
    if (answered.status !== undefined) await sleep(100);
    // Sometimes the second connection is cut too.
    answered = await client.send(keyed, authorization, random() < 0.3 ? random() * 12 : undefined);
    if (answered.status === undefined) counts.cut += 1;
  }
  if (answered.replayed) counts.replayed += 1;
  let again = await client.send(keyed, authorization);
  // The engine may be down at that moment, which does not concern the recorded response.
  for (let turn = 0; (again.status ?? 503) === 503 && turn < 50; turn += 1) {
    await sleep(100);
    again = await client.send(keyed, authorization);
  }
  if (again.status !== answered.status || again.text !== answered.text || !again.replayed)
    wrong.push(`${asked.name}: answered ${answered.text}, then ${again.status} ${again.text}`);
  if ((answered.status ?? 500) >= 300)
    throw new Error(`${asked.name}: ${answered.status} ${answered.text}`);
  return answered.answer as Record<string, unknown>;
}

const make = (
  name: SentRequest['name'],
  params: Record<string, string>,
  body: Record<string, unknown>,
) => persist({ name, as, params, body });

/** Creates a workspace and changes it sequentially, so that its counters show each change. */
async function work(number: number): Promise<void> {
  for (let i = 0; counts.cut < wanted && wrong.length === 0; i += 1) {
    const email = `owner${number}-${i}@example.com`;
    const owner = await make('users.create', {}, { email });
    const uid = String(owner['uid']);
    expect(`guard ${email}`);
    for (let j = 0; j < 5 && counts.cut < wanted; j += 1) {
      const made = await make('workspaces.create', {}, { name: 'Acme', owner_id: uid });
      const workspace_id = String(made['workspace_id']);
      expect(`owned ${uid}`);
      expect(`events of ${workspace_id}`);
      for (let k = 0; k < 4; k += 1) {
        await make('workspaces.update', { workspace_id }, { name: `Acme ${k}` });
        expect(`events of ${workspace_id}`);
        await make('joinLinks.create', { workspace_id }, {});
        expect(`events of ${workspace_id}`);
        expect(`links ${workspace_id}`);
      }
    }
  }
}

let killing = Promise.resolve();
const nemesis = setInterval(() => {
  if (killEvery > 0 && counts.cut >= killEvery * (rig.nemesis.kills() + 1))
    killing = killing.then(() => rig.nemesis.kill());
}, 100);
const report = setInterval(() => process.stderr.write(`${counts.cut} cut\n`), 10_000);
const began = performance.now();
try {
  await Promise.all(Array.from({ length: clients }, (_, i) => work(i)));
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(nemesis);
  await killing;
  await rig.settle();
  const { items } = await rig.scan();
  const found = new Map<string, number>();
  const count = (of: string, more = 1) => found.set(of, (found.get(of) ?? 0) + more);
  for (const item of items) {
    const { pk = '', sk = '' } = item as { pk?: string; sk?: string };
    if (sk === 'EMAIL') count(`guard ${pk.split('#').at(-1)}`);
    if (sk === 'USER' && Number(item['owned_workspace_count']) > 0)
      count(`owned ${pk.slice('USER#'.length)}`, Number(item['owned_workspace_count']));
    if (sk === 'WS') count(`events of ${pk.slice('WS#'.length)}`, Number(item['event_count']));
    if (sk.startsWith('LINK#')) count(`links ${pk.slice('WS#'.length)}`);
  }
  for (const of of new Set([...expected.keys(), ...found.keys()]))
    if (expected.get(of) !== found.get(of))
      wrong.push(`${of}: acknowledged ${expected.get(of) ?? 0}, found ${found.get(of) ?? 0}`);
  const changes = [...expected.values()].reduce((sum, each) => sum + each, 0);
  console.log(
    `seed ${seed}: ${counts.cut} connections cut, ${rig.nemesis.kills()} kills of the engine, ${seconds.toFixed(0)} s\n` +
      `${counts.answered} answered before the cut, ${counts.replayed} answered as before, ` +
      `${counts.waited} asked to wait, ${counts.unavailable} asked to retry\n` +
      `${changes} changes acknowledged and counted in ${items.length} items, ${wrong.length} wrong`,
  );
} finally {
  clearInterval(nemesis);
  clearInterval(report);
  client.close();
  await rig.close();
  await rm(folder, { recursive: true, force: true });
}
if (wrong.length > 0) {
  console.log(wrong.slice(0, 20).join('\n'));
  process.exitCode = 1;
}

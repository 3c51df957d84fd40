import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { byMember } from '#shared/db/index-attributes.ts';
import { keys } from '#shared/db/keys.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { fromSource } from '../../local/load.ts';
import { signInProject } from '../support/sign-in.ts';
import { streamRecord } from '../support/stream-record.ts';
import { startWorld, type TestProject } from '../support/world.ts';

const world = await startWorld({ interval: 100 });
const sorter = await fromSource('stream.sort');
const big = await world.newProject();
/** Milliseconds by which other projects may delay the work of one. */
const patience = 5_000;
/** Loading the queue takes most of it. */
const timeout = 240_000;

let number = 0;
/** A stream record of an item. */
function record(item: { pk: string; sk: string }, project_id = big.project_id) {
  number += 1;
  return streamRecord({ after: { ...item, project_id } }, number);
}

/** A new user item with its event. */
function newUser() {
  const uid = randomUUID();
  const time = new Date().toISOString();
  const actor = { kind: 'key', id: '0a1b2c3d' };
  const events = [{ id: `evt-${randomUUID()}`, type: 'user.created', time, actor }];
  const email = `${uid}@example.com`;
  return record({
    ...keys.user(uid),
    ...{ uid, email, created_at: time, modified_at: time, version: 1, event_count: 1, events },
  });
}

const newMail = (kind = 'sign_in_link', project_id = big.project_id) => {
  const mail_id = randomUUID();
  const created_at = new Date().toISOString();
  return record(
    {
      ...keys.mail(mail_id),
      ...{ mail_id, kind, to: 'reader@example.com', created_at },
    },
    project_id,
  );
};

/** Has this number of records sorted by four concurrent invocations, as for one shard. */
async function sortMany(count: number, make: () => object): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      const Records = Array.from({ length: Math.min(100, left) }, make);
      left -= Records.length;
      const answer = await invoke('stream.sort', sorter, { Records }, 30_000);
      expect(answer).toEqual({ batchItemFailures: [] });
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

const feedHas = async (project: TestProject, uid: string) => {
  const { body } = await world.call('GET', '/events', project.basic);
  return JSON.stringify(body).includes(uid);
};

// First, because it waits until nothing is left in the queues.
test('a user in 100 workspaces who changes their profile 30 times delays their project by less than 2 s', {
  timeout,
}, async () => {
  const project = await world.newProject();
  const ada = await world.user({ project });
  const { workspace_id } = await world.workspace({ owner: ada });
  const model = await world.table.get(keys.member(workspace_id, ada.uid));
  const others = Array.from({ length: 99 }, () => `wid-${randomUUID()}`);
  await world.table.putAll(
    others.map((wid) => ({
      ...model,
      ...keys.member(wid, ada.uid),
      ...byMember('accepted', ada.uid, wid),
      workspace_id: wid,
    })),
  );
  const profileVersions = async () =>
    (await Promise.all(others.map((wid) => world.table.get(keys.member(wid, ada.uid))))).map(
      (member) => member?.['profile_version'],
    );
  await world.drainStream();
  const times = Array.from({ length: 30 }, (_, i) => i);
  for (const i of times)
    await world.call('PUT', `/users/${ada.uid}`, ada.bearer, { display_name: `Ada ${i} of ${i}` });
  void world.drainStream();
  const { uid } = await world.user({ project });
  const began = performance.now();
  while (!(await feedHas(project, uid)) && performance.now() - began < 2 * patience);
  expect(performance.now() - began).toBeLessThan(2_000);
  await world.drainStream();
  const version = (await world.table.get(keys.user(ada.uid)))?.['version'];
  expect(new Set(await profileVersions())).toEqual(new Set([version]));
});

test('a project with 20,000 events waiting delays another by less than 5 s', {
  timeout,
}, async () => {
  const other = await world.newProject();
  // Processes the stream from here on, without waiting: all of it takes minutes.
  void world.drainStream();
  await sortMany(20_000, newUser);
  const waiting = world.queues.waiting();
  expect(waiting).toBeGreaterThan(700);
  const began = performance.now();
  const { uid } = await world.user({ project: other });
  while (!(await feedHas(other, uid)) && performance.now() - began < 2 * patience);
  const took = performance.now() - began;
  expect(took).toBeLessThan(patience);
  // They still wait, at 25 events a message.
  expect(world.queues.waiting()).toBeGreaterThan(600);
});

/** Milliseconds until the mail with a code requested now arrives. */
async function codeTakes(at: Awaited<ReturnType<typeof signInProject>>): Promise<number> {
  const email = `${randomUUID()}@example.com`;
  const began = performance.now();
  await at.post('/codes', { email });
  const arrived = () => world.mails().some(({ to }) => to === email);
  while (!arrived() && performance.now() - began < 2 * patience)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return performance.now() - began;
}

test('a project with 10,000 mails waiting delays the mails of another by less than 5 s', {
  timeout,
}, async () => {
  const at = await signInProject(world);
  void world.drainStream();
  await sortMany(10_000, () => newMail());
  const before = world.queues.waiting();
  expect(await codeTakes(at)).toBeLessThan(patience);
  expect(before).toBeGreaterThan(0);
});

test('10,000 waiting invitations delay a code of the same project by less than 5 s', {
  timeout,
}, async () => {
  const at = await signInProject(world);
  void world.drainStream();
  await sortMany(10_000, () => newMail('workspace_invitation', at.project_id));
  expect(await codeTakes(at)).toBeLessThan(patience);
  // They still wait, at 25 mails a message.
  expect(world.queues.waiting()).toBeGreaterThan(0);
});

import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { fromSource } from '../../local/load.ts';
import { signInProject } from '../support/sign-in.ts';
import { startWorld, type TestProject } from '../support/world.ts';

const world = await startWorld({ interval: 100 });
const sorter = await fromSource('stream.sort');
const big = await world.newProject();
/** Milliseconds by which the others may delay what is of one project. */
const patience = 5_000;
/** Loading the queue takes most of it. */
const timeout = 240_000;

let number = 0;
/** A record of the stream that brings an item. */
function record(item: { pk: string; sk: string }) {
  number += 1;
  return {
    eventID: number.toString(16).padStart(32, '0'),
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: `${number}`,
      Keys: marshall({ pk: item.pk, sk: item.sk }),
      NewImage: marshall({ ...item, project_id: big.project_id }),
    },
  };
}

/** A new user, who tells of it. */
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

const newMail = () => {
  const mail_id = randomUUID();
  const created_at = new Date().toISOString();
  return record({
    ...keys.mail(mail_id),
    ...{ mail_id, kind: 'password_changed', to: 'reader@example.com', created_at },
  });
};

/** Has so many records sorted, as four invocations side by side do it on a shard. */
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

const tellsOf = async (project: TestProject, uid: string) => {
  const { body } = await world.call('GET', '/events', project.basic);
  return JSON.stringify(body).includes(uid);
};

test('a project with 20,000 events waiting delays another by less than 5 s', {
  timeout,
}, async () => {
  const other = await world.newProject();
  // From here on the stream is followed; it is never awaited, for all of it takes minutes.
  void world.drainStream();
  await sortMany(20_000, newUser);
  const waiting = world.queues.waiting();
  expect(waiting).toBeGreaterThan(700);
  const began = performance.now();
  const { uid } = await world.user({ project: other });
  while (!(await tellsOf(other, uid)) && performance.now() - began < 2 * patience);
  const took = performance.now() - began;
  expect(took).toBeLessThan(patience);
  // They still wait, at 25 events a message.
  expect(world.queues.waiting()).toBeGreaterThan(600);
});

test('a project with 10,000 mails waiting delays those of another by less than 5 s', {
  timeout,
}, async () => {
  const at = await signInProject(world);
  void world.drainStream();
  await sortMany(10_000, newMail);
  const before = world.queues.waiting();
  const began = performance.now();
  await at.post('/codes', { email: 'quick@example.com' });
  const arrived = () => world.mails().some(({ to }) => to === 'quick@example.com');
  while (!arrived() && performance.now() - began < 2 * patience)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(performance.now() - began).toBeLessThan(patience);
  expect(before).toBeGreaterThan(0);
});

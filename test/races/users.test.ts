/** @module-tag alone */
import { expect, test } from 'vitest';
import { eventsOf } from '../support/recorded-events.ts';
import { startWorld } from '../support/world.ts';
import { counted, oneOf200, times } from './many.ts';

// No local engine raises TransactionConflict: here concurrent transactions fail only by their conditions. Conflicts are
// injected in test/shared.
const world = await startWorld();
const { project_id } = world.project;
const { users } = world.as(world.project);
const items = async (sk: string) => (await world.table.all()).filter((item) => item['sk'] === sk);

test('200 concurrent get-or-creates of one e-mail create one user', async () => {
  const answers = await times(200, (i) => {
    const email = i % 2 === 0 ? 'ada@example.com' : 'Ada@Example.COM';
    return users.create({ email, display_name: String(i) });
  });
  expect(oneOf200()).toContainEqual(counted(answers));
  for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
  expect(await items('USER')).toMatchObject([{ uid: answers[0]?.body.uid }]);
  expect(await items('EMAIL')).toHaveLength(1);
  const recorded = await eventsOf(world, answers[0]?.body.uid);
  expect(recorded).toMatchObject({ events: [{ type: 'user.created' }], event_count: 1 });
});

test('200 concurrent reads of one unknown uid create one user', async () => {
  const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5aff';
  const answers = await times(200, () => users.get({ uid }));
  expect(oneOf200()).toContainEqual(counted(answers));
  for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
  expect((await world.table.get({ pk: `USER#${uid}`, sk: 'USER' }))?.['version']).toBe(1);
});

test('one of 20 users who request the same e-mail gets it', async () => {
  const people = await times(20, (i) => users.create({ email: `wants${i}@example.com` }));
  const email = 'wanted@example.com';
  const answers = await Promise.all(
    people.map(({ body }) => users.update({ uid: body.uid, email })),
  );
  expect(counted(answers)).toEqual({ 200: 1, email_taken: 19 });
  const winner = answers.find(({ status }) => status === 200)?.body;
  const guard = await world.table.get({ pk: `EMAIL#${project_id}#${email}`, sk: 'EMAIL' });
  expect(guard).toMatchObject({ uid: winner.uid });
  // Only the winner's former e-mail is available again.
  const before = people.find(({ body }) => body.uid === winner.uid)?.body.email;
  const again = await times(20, (i) => users.create({ email: `wants${i}@example.com` }));
  expect(again.filter(({ status }) => status === 201).map(({ body }) => body.email)).toEqual([
    before,
  ]);
});

test('two users who swap their e-mails concurrently end with one e-mail each', async () => {
  const [a, b] = await times(2, (i) => world.user({ email: `swap${i}@example.com` }));
  await times(10, (i) => {
    const [who, email] = i % 2 === 0 ? [a, b?.email] : [b, a?.email];
    return users.update({ uid: who?.uid, email });
  });
  const [one, two] = await times(2, (i) => users.get({ uid: [a, b][i]?.uid }));
  expect(one?.body.email).not.toBe(two?.body.email);
  for (const user of [one?.body, two?.body]) {
    const guard = { pk: `EMAIL#${project_id}#${user?.email}`, sk: 'EMAIL' };
    expect(await world.table.get(guard)).toMatchObject({ uid: user?.uid });
  }
});

test('50 concurrent changes of different fields of a profile are all stored', async () => {
  const { uid } = await world.user();
  const fields = ['display_name', 'about_me', 'current_location', 'preferred_username'];
  const answers = await times(50, (i) => users.update({ uid, [fields[i % 4] ?? '']: String(i) }));
  expect(counted(answers)).toEqual({ 200: 50 });
  const item = await world.table.get({ pk: `USER#${uid}`, sk: 'USER' });
  // A call whose response times out on a busy machine is retried, and may count twice.
  expect(item?.['version']).toBeGreaterThanOrEqual(51);
  for (const field of fields) expect(Number(item?.[field])).toBeGreaterThanOrEqual(0);
});

import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const endAll = (caller: Person | typeof project, user_id?: string) =>
  world.as(caller).sessions.endAll({ user_id });
const getMe = (person: Person) => world.as(person).users.getMe();
const stored = (uid: string) => world.table.query(`USER#${uid}`, 'SESSION#');

/** A user with several sessions. */
async function manySessions(count: number): Promise<[Person, ...Person[]]> {
  const first = await world.user();
  const more = await Promise.all(Array.from({ length: count }, () => world.session(first.uid)));
  return [first, ...more];
}

async function expectEnded(...all: Person[]): Promise<void> {
  for (const each of all) {
    expectProblem(await getMe(each), 'unauthenticated');
    expectProblem(await world.renew(each), 'unauthenticated');
  }
}

test("200 ends all sessions but the caller's own", async () => {
  const [here, ...others] = await manySessions(3);
  const { status, body } = await endAll(here);
  expect([status, body]).toEqual([200, { ended: 3 }]);
  await expectEnded(...others);
  expect((await getMe(here)).status).toBe(200);
  expect((await world.renew(here)).status).toBe(200);
  expect(await stored(here.uid)).toHaveLength(1);
});

test('200 ends 0 sessions if there is no other one, also on a retry', async () => {
  const here = await world.user();
  for (let i = 0; i < 2; i += 1) {
    const { status, body } = await endAll(here, here.uid);
    expect([status, body]).toEqual([200, { ended: 0 }]);
  }
  expect((await getMe(here)).status).toBe(200);
});

test('200 for the backend ends every session', async () => {
  const all = await manySessions(2);
  const { status, body } = await endAll(project, all[0].uid);
  expect([status, body]).toEqual([200, { ended: 3 }]);
  await expectEnded(...all);
  expect(await stored(all[0].uid)).toEqual([]);
  expect((await endAll(project, all[0].uid)).body).toEqual({ ended: 0 });
});

test('200 ends more sessions than fit into one transaction', async () => {
  const here = await world.user();
  const [template] = await stored(here.uid);
  const copies = Array.from({ length: 150 }, (_, i) => ({
    ...template,
    sk: `SESSION#burst-${i}`,
    session_id: `burst-${i}`,
  }));
  await Promise.all(copies.map((item) => world.table.put(item)));
  expect((await endAll(here)).body).toEqual({ ended: 150 });
  expect(await stored(here.uid)).toEqual([template]);
  await Promise.all(copies.map((item) => world.table.put(item)));
  expect((await endAll(project, here.uid)).body).toEqual({ ended: 151 });
  expect(await stored(here.uid)).toEqual([]);
});

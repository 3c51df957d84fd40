import { expect, test } from 'vitest';
import { expectInvalid, expectProblem, expectSame, nobody } from '../../support/expectations.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const endAll = (auth?: string, user_id?: string) =>
  world.call('DELETE', '/sessions', auth, undefined, {
    ...(user_id !== undefined && { query: { user_id } }),
  });
const getMe = (person: Person) => world.call('GET', '/users/me', person.bearer);
const renew = ({ refresh_token, access_token: accessToken }: Person) =>
  world.call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, { accessToken });
const stored = (uid: string) => world.table.query(`USER#${uid}`, 'SESSION#');

/** A person and further sessions of theirs. */
async function manySessions(count: number): Promise<[Person, ...Person[]]> {
  const first = await world.user();
  const more = await Promise.all(Array.from({ length: count }, () => world.session(first.uid)));
  return [first, ...more];
}

async function expectEnded(...all: Person[]): Promise<void> {
  for (const each of all) {
    expectProblem(await getMe(each), 'unauthenticated');
    expectProblem(await renew(each), 'unauthenticated');
  }
}

test("200 ends all but the caller's own, at once", async () => {
  const [here, ...others] = await manySessions(3);
  const { status, headers, body } = await endAll(here.bearer);
  expect([status, body]).toEqual([200, { ended: 3 }]);
  expect(headers.get('cache-control')).toBe('no-store');
  await expectEnded(...others);
  expect((await getMe(here)).status).toBe(200);
  expect((await renew(here)).status).toBe(200);
  expect(await stored(here.uid)).toHaveLength(1);
});

test('200 with none where there is no other, however often', async () => {
  const here = await world.user();
  for (let i = 0; i < 2; i += 1) {
    const { status, body } = await endAll(here.bearer, here.uid);
    expect([status, body]).toEqual([200, { ended: 0 }]);
  }
  expect((await getMe(here)).status).toBe(200);
});

test('200 for the back end ends every one', async () => {
  const all = await manySessions(2);
  const { status, body } = await endAll(project.basic, all[0].uid);
  expect([status, body]).toEqual([200, { ended: 3 }]);
  await expectEnded(...all);
  expect(await stored(all[0].uid)).toEqual([]);
  expect((await endAll(project.basic, all[0].uid)).body).toEqual({ ended: 0 });
});

test('200 ends 50, the most that anybody has, in one go', async () => {
  const [here] = await manySessions(50);
  expect((await endAll(here.bearer)).status).toBe(401);
  const last = await world.session(here.uid);
  expect((await endAll(last.bearer)).body).toEqual({ ended: 49 });
  expect(await stored(here.uid)).toHaveLength(1);
});

test('200 ends more than one transaction holds, as a burst of starts leaves them for a moment', async () => {
  const here = await world.user();
  const [template] = await stored(here.uid);
  const copies = Array.from({ length: 150 }, (_, i) => ({
    ...template,
    sk: `SESSION#burst-${i}`,
    session_id: `burst-${i}`,
  }));
  await Promise.all(copies.map((item) => world.table.put(item)));
  expect((await endAll(here.bearer)).body).toEqual({ ended: 150 });
  expect(await stored(here.uid)).toEqual([template]);
  await Promise.all(copies.map((item) => world.table.put(item)));
  expect((await endAll(project.basic, here.uid)).body).toEqual({ ended: 151 });
  expect(await stored(here.uid)).toEqual([]);
});

test('200 a session that starts meanwhile is ended too, or was started afterwards', async () => {
  const here = await world.user();
  const [ended, ...started] = await Promise.all([
    endAll(project.basic, here.uid),
    ...Array.from({ length: 8 }, () => world.session(here.uid)),
  ]);
  expect(ended.status).toBe(200);
  const alive = await stored(here.uid);
  expect(ended.body.ended + alive.length).toBe(1 + started.length);
  await expectEnded(here);
});

test("404 for another person's uid: the very answer of a missing user; theirs live on", async () => {
  const ada = await world.user();
  const bob = await world.user();
  const answer = await endAll(ada.bearer, bob.uid);
  expectProblem(answer, 'not_found');
  expectSame(answer, await endAll(ada.bearer, nobody));
  expect((await getMe(bob)).status).toBe(200);
});

test('404 for the back end of another project; they live on', async () => {
  const person = await world.user();
  const foreign = await world.newProject();
  const answer = await endAll(foreign.basic, person.uid);
  expectProblem(answer, 'not_found');
  expectSame(answer, await endAll(foreign.basic, nobody));
  expect((await getMe(person)).status).toBe(200);
});

test('400 for a back end that does not say whose, and for what is no uid', async () => {
  expectInvalid(await endAll(project.basic), '/query/user_id');
  expectInvalid(await endAll(project.basic, 'all'), '/query/user_id');
});

test('401 without a credential, and for a session that has ended', async () => {
  expectProblem(await endAll(), 'unauthenticated');
  const [here, other] = await manySessions(1);
  await world.call('DELETE', '/sessions/current', here.bearer);
  expectProblem(await endAll(here.bearer), 'unauthenticated');
  expect((await getMe(other as Person)).status).toBe(200);
});

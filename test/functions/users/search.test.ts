import { expect, test } from 'vitest';
import { newUid } from '#shared/model/ids.ts';
import type { FoundUser } from '#shared/model/user-resources.ts';
import { aTime, aUser, expectInvalid, unknownId } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;

test('200 returns the users in the requested order, with their name as displayed_name', async () => {
  const ada = await world.user({ email: 'ada@example.com', display_name: 'Ada' });
  const bob = await world.user({ email: 'bob@example.com' });
  const { status, body } = await as(project).users.search({ uids: [bob.uid, ada.uid] });
  const { project_id } = project;
  const found = (uid: string, email: string, displayed_name: string) => {
    const { display_name: _, ...user } = aUser({
      uid,
      project_id,
      email,
      last_sign_in_at: aTime(),
    });
    return { ...user, displayed_name };
  };
  expect(status).toBe(200);
  expect(body).toEqual({
    total: 2,
    count: 2,
    result: [found(bob.uid, 'bob@example.com', ''), found(ada.uid, 'ada@example.com', 'Ada')],
  });
});

test('200 omits unknown users and users of another project', async () => {
  const foreign = await world.newProject();
  const eve = await world.user({ project: foreign });
  const ada = await world.user();
  const unknown = newUid(new Date());
  const { body } = await as(project).users.search({ uids: [unknown, eve.uid, ada.uid] });
  expect(body).toMatchObject({ total: 1, count: 1, result: [{ uid: ada.uid }] });
  const { body: none } = await as(project).users.search({ uids: [unknown, eve.uid] });
  expect(none).toEqual({ total: 0, count: 0, result: [] });
  // The search creates no user.
  expect(await world.table.get({ pk: `USER#${unknown}`, sk: 'USER' })).toBeUndefined();
});

test('200 pages have the total of found users and the count of the page', async () => {
  const users = await Promise.all(Array.from({ length: 25 }, () => world.user()));
  const uids = users.map(({ uid }) => uid);
  const page = async (more: object) => {
    const { body } = await as(project).users.search({ uids: [unknownId, ...uids], ...more });
    return { ...body, result: body.result.map(({ uid }: FoundUser) => uid) };
  };
  expect(await page({})).toEqual({ total: 25, count: 20, result: uids.slice(0, 20) });
  expect(await page({ offset: 20 })).toEqual({ total: 25, count: 5, result: uids.slice(20) });
  expect(await page({ offset: 3, limit: 2 })).toEqual({
    total: 25,
    count: 2,
    result: uids.slice(3, 5),
  });
  expect(await page({ limit: 100 })).toEqual({ total: 25, count: 25, result: uids });
  expect(await page({ offset: 25 })).toEqual({ total: 25, count: 0, result: [] });
  // The search has no cursor.
  const { body } = await as(project).users.search({ uids, offset: 10_001 });
  expect(body).toMatchObject({
    errors: [{ pointer: '/body/offset', detail: 'Must be at most 10000' }],
  });
});

test('200 for up to 100 uids, or none; 400 for one more', async () => {
  const uids = Array.from({ length: 101 }, () => newUid(new Date()));
  const none = { total: 0, count: 0, result: [] };
  expect((await as(project).users.search({ uids: uids.slice(1) })).body).toEqual(none);
  expect(await as(project).users.search({ uids: [] })).toMatchObject({ status: 200, body: none });
  expectInvalid(await as(project).users.search({ uids }), '/body/uids');
});

test('200 returns each user once, at the first place, whatever the capitals of the uid', async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  const { body } = await as(project).users.search({
    uids: [bob.uid, ada.uid, bob.uid, ada.uid.toUpperCase()],
  });
  expect(body).toMatchObject({ total: 2, count: 2, result: [{ uid: bob.uid }, { uid: ada.uid }] });
});

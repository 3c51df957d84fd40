import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { users } = as(project);

test('200 the backend sets, reads and clears all three kinds; the user does not see private metadata', async () => {
  const { uid, bearer } = await world.user();
  const before = (await users.get({ uid })).body;
  expect((await users.getMetadata({ uid })).body).toEqual({});
  const all = {
    user_metadata: { theme: 'dark', numbers: [1.5, -0.000_001, 1e-300], '': null },
    app_metadata: { plan: 'team' },
    private_metadata: { score: 3 },
  };
  const { status, body } = await users.setMetadata({ uid, ...all });
  expect([status, body]).toEqual([200, all]);
  expect((await users.getMetadata({ uid })).body).toEqual(all);
  const { private_metadata: _, ...shown } = all;
  expect((await as(bearer).users.getMetadata({ uid })).body).toEqual(shown);
  // The user is otherwise unchanged.
  expect((await users.get({ uid })).body).toEqual(before);
  const { body: less } = await users.setMetadata({ uid, user_metadata: {} });
  expect(less).toEqual({ app_metadata: all.app_metadata, private_metadata: all.private_metadata });
  await users.mergeMetadata({ uid, app_metadata: null, private_metadata: null });
  expect((await users.getMetadata({ uid })).body).toEqual({});
  expect(await world.table.get(keys.userMetadata(uid))).toBeUndefined();
  expect(await world.table.get(keys.user(uid))).not.toHaveProperty('has_metadata');
});

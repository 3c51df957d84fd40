import { expect, test } from 'vitest';
import { anApiKey, userKey } from '../../support/api-keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 another name; the key goes on working', async () => {
  const ada = await world.user();
  const { key_id, bearer } = await userKey(world, ada);
  const renamed = await world.as(ada).apiKeys.update({ key_id, name: 'nightly' });
  expect([renamed.status, renamed.body]).toEqual([200, anApiKey({ key_id, name: 'nightly' })]);
  expect((await world.as(ada).apiKeys.list()).body.result).toEqual([renamed.body]);
  expect((await world.as(bearer).users.getMe()).status).toBe(200);
});

test('404 that of another user', async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  const { key_id } = await userKey(world, ada);
  expectProblem(await world.as(bob).apiKeys.update({ key_id, name: 'mine' }), 'not_found');
});

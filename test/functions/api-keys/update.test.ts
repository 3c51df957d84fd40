import { expect, test } from 'vitest';
import { anApiKey, userKey } from '../../support/api-keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 renames the key, which keeps working', async () => {
  const ada = await world.user();
  const { key_id, bearer } = await userKey(world, ada);
  const renamed = await world.as(ada).apiKeys.update({ key_id, name: 'nightly' });
  expect([renamed.status, renamed.body]).toEqual([200, anApiKey({ key_id, name: 'nightly' })]);
  expect((await world.as(ada).apiKeys.list()).body.result).toEqual([renamed.body]);
  expect((await world.as(bearer).users.getMe()).status).toBe(200);
});

test('200 replaces the metadata; without metadata it stays, and {} clears it', async () => {
  const ada = await world.user();
  const { key_id } = await userKey(world, ada, { metadata: { plan: 'pro', seats: 5.25 } });
  const update = async (given: object) =>
    (await world.as(ada).apiKeys.update({ key_id, ...given })).body;
  const first = anApiKey({ key_id, name: 'nightly', metadata: { plan: 'pro', seats: 5.25 } });
  expect(await update({ name: 'nightly' })).toEqual(first);
  const metadata = { repository: { name: 'web' } };
  expect(await update({ metadata })).toEqual({ ...first, metadata });
  expect((await world.as(ada).apiKeys.list()).body.result).toEqual([{ ...first, metadata }]);
  expect(await update({ metadata: {} })).toEqual(anApiKey({ key_id, name: 'nightly' }));
  expect(await update({})).not.toHaveProperty('metadata');
});

test('an unchanged value writes nothing and is no event', async () => {
  const ada = await world.user();
  const { key_id } = await userKey(world, ada, { metadata: { a: 1, b: [2] } });
  const before = await world.table.query(`USER#${ada.uid}`);
  for (const same of [{}, { name: 'CI' }, { metadata: { b: [2], a: 1 } }])
    expect((await world.as(ada).apiKeys.update({ key_id, ...same })).status).toBe(200);
  expect(await world.table.query(`USER#${ada.uid}`)).toEqual(before);
});

test('400 states how metadata is too large or too deep', async () => {
  const ada = await world.user();
  const { key_id } = await userKey(world, ada);
  const refused = async (metadata: unknown) => {
    const answer = await world.as(ada).apiKeys.update({ key_id, metadata });
    expectProblem(answer, 'invalid_request', { errors: expect.any(Array) });
    return answer.body.errors;
  };
  // {"a":""} has 8 bytes, and each ü two.
  const [fits, larger] = [1020, 1021].map((length) => ({ a: 'ü'.repeat(length) }));
  expect((await world.as(ada).apiKeys.update({ key_id, metadata: fits })).status).toBe(200);
  const pointer = '/body/metadata';
  expect(await refused(larger)).toEqual([
    { pointer, detail: 'Must not exceed 2048 bytes as JSON' },
  ]);
  const deep = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`) as unknown;
  expect(await refused(deep)).toEqual([
    { pointer, detail: 'Must not be nested deeper than 8 levels' },
  ]);
  expect(await refused(['a'])).toHaveLength(1);
});

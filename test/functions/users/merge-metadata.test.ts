import { expect, test } from 'vitest';
import { times } from '../../races/many.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { users } = world.as(project);

test('200 PUT replaces an object, PATCH merges into it (examples of RFC 7396)', async () => {
  const { uid } = await world.user();
  const cases: [object, object, object][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{ x: 1 }, { a: { bb: { ccc: null } } }, { x: 1, a: { bb: {} } }],
  ];
  for (const [target, patch, result] of cases) {
    await users.setMetadata({ uid, app_metadata: target });
    const { body } = await users.mergeMetadata({ uid, app_metadata: patch });
    expect(body).toEqual({ app_metadata: result });
    expect((await users.getMetadata({ uid })).body).toEqual(body);
  }
});

test('200 accepts the content type application/merge-patch+json', async () => {
  const { uid } = await world.user();
  await users.setMetadata({ uid, app_metadata: { a: 1, b: 2 } });
  const { status, body } = await world.call({
    method: 'PATCH',
    path: `/users/${uid}/metadata`,
    auth: project.basic,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { app_metadata: { a: null, c: 'ä' } },
  });
  expect([status, body]).toEqual([200, { app_metadata: { b: 2, c: 'ä' } }]);
});

test('20 concurrent merges lose nothing', async () => {
  const { uid } = await world.user();
  const answers = await times(20, (i) =>
    users.mergeMetadata({ uid, app_metadata: { [`field${i}`]: i } }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  const { app_metadata } = (await users.getMetadata({ uid })).body;
  expect(Object.keys(app_metadata)).toHaveLength(20);
});

test('403 for the user, whatever the private metadata is, so that its size is not revealed', async () => {
  const { uid, bearer } = await world.user();
  await users.setMetadata({ uid, private_metadata: { a: 'x'.repeat(4_000) } });
  for (const private_metadata of [{ b: 'x'.repeat(4_000) }, { a: 'x'.repeat(4_000) }, null])
    expectProblem(
      await world.as(bearer).users.mergeMetadata({ uid, private_metadata }),
      'forbidden',
    );
});

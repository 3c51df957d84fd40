import { expect, test } from 'vitest';
import { aTime, aUser, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;

test('200 returns the caller', async () => {
  const { uid, bearer } = await world.user({ email: 'ada@example.com' });
  const { status, body } = await as(bearer).users.getMe();
  expect(status).toBe(200);
  expect(body).toEqual(
    aUser({
      uid,
      project_id: project.project_id,
      email: 'ada@example.com',
      last_sign_in_at: aTime(),
    }),
  );
});

test('401 for a deleted user', async () => {
  const { uid, bearer } = await world.user();
  await world.table.delete({ pk: `USER#${uid}`, sk: 'USER' });
  expectProblem(await as(bearer).users.getMe(), 'unauthenticated');
});

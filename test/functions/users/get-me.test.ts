import { afterEach, expect, test, vi } from 'vitest';
import { aTime, aUser, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;

afterEach(() => {
  vi.useRealTimers();
});

test('200 the caller', async () => {
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

test('401 token_expired ten minutes later, to the second and the tolerance', async () => {
  const { bearer } = await world.user();
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 600_000 });
  expect((await as(bearer).users.getMe()).status).toBe(200);
  vi.setSystemTime(now + 606_000);
  const answer = await as(bearer).users.getMe();
  expectProblem(answer, 'token_expired');
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer realm="user", error="invalid_token"/,
  );
});

test('401 for a user who is gone', async () => {
  const { uid, bearer } = await world.user();
  await world.table.delete({ pk: `USER#${uid}`, sk: 'USER' });
  expectProblem(await as(bearer).users.getMe(), 'unauthenticated');
});

import { afterEach, expect, test, vi } from 'vitest';
import type { User } from '#shared/model/resources.ts';
import { aTime, aUser, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const getMe = (auth?: string) => world.call<User>('GET', '/users/me', auth);

afterEach(() => {
  vi.useRealTimers();
});

test('200 the caller', async () => {
  const { uid, bearer } = await world.user({ email: 'ada@example.com' });
  const { status, body } = await getMe(bearer);
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

test('401 without a credential says how to get in', async () => {
  const answer = await getMe();
  expectProblem(answer, 'unauthenticated');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="user"');
});

test('401 token_expired ten minutes later, to the second and the tolerance', async () => {
  const { bearer } = await world.user();
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 600_000 });
  expect((await getMe(bearer)).status).toBe(200);
  vi.setSystemTime(now + 606_000);
  const answer = await getMe(bearer);
  expectProblem(answer, 'token_expired');
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer realm="user", error="invalid_token"/,
  );
});

test('401 for a back end, a refresh token, a changed token and two tokens at once', async () => {
  const { bearer, access_token, refresh_token } = await world.user();
  const [head, , signature] = access_token.split('.');
  const claims = Buffer.from(JSON.stringify({ sub: 'somebody' })).toString('base64url');
  const wrong = [
    project.basic,
    `Bearer ${refresh_token}`,
    `Bearer ${head}.${claims}.${signature}`,
    `${bearer}x`,
    `${bearer}, ${bearer}`,
    bearer.replace('Bearer', 'Basic'),
    access_token,
  ];
  for (const authorization of wrong) expectProblem(await getMe(authorization), 'unauthenticated');
  expect((await getMe(bearer)).status).toBe(200);
});

test('401 for a user who is gone', async () => {
  const { uid, bearer } = await world.user();
  await world.table.delete({ pk: `USER#${uid}`, sk: 'USER' });
  expectProblem(await getMe(bearer), 'unauthenticated');
});

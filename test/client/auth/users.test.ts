import { expect, test } from 'vitest';
import { ApiError } from '../../../client/api-error.ts';
import { startWorld } from '../../support/world.ts';
import { authScene, shelf } from './scene.ts';

const world = await startWorld();
const { tab, signIn } = await authScene(world);
const failure = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** A tab that still shows Ada, and another one in which another user has signed in. */
async function unheard() {
  const storage = shelf();
  const one = tab({ storage });
  const ada = await signIn(one);
  const other = tab({ storage });
  await signIn(other);
  expect(one.auth.session?.user.email).toBe(ada);
  return { one, other };
}

test('a call fails if another user has signed in without this tab knowing, and the next call is theirs', async () => {
  const { one, other } = await unheard();
  one.calls.length = 0;
  const made = one.auth.api.users.getMe();
  expect(await failure(made)).toMatchObject({ name: 'AbortError' });
  expect(one.calls).toEqual([]);
  // The tab knows it now, and new calls are made as the other user.
  const { body } = await one.auth.api.users.getMe();
  expect(body.uid).toBe(other.auth.session?.uid);
});

test('getAccessToken fails if another user has signed in without this tab knowing, and then returns their token', async () => {
  const { one, other } = await unheard();
  expect(await failure(one.auth.getAccessToken())).toMatchObject({ name: 'AbortError' });
  expect(await one.auth.getAccessToken()).toBe(await other.auth.getAccessToken());
});

test('signing in again ends the previous session', async () => {
  const one = tab();
  const email = await signIn(one);
  const token = await one.auth.getAccessToken();
  await signIn(one, email);
  const statusOfOld = async () => (await world.call('GET', '/users/me', `Bearer ${token}`)).status;
  await expect.poll(statusOfOld).toBe(401);
  expect((await one.auth.api.users.getMe()).status).toBe(200);
});

test('signing out everywhere throws if the session has already ended, or there is none', async () => {
  const one = tab();
  await signIn(one);
  const token = await one.auth.getAccessToken();
  await world.call('DELETE', '/sessions/current', `Bearer ${token}`);
  const first = await failure(one.auth.signOut({ everywhere: true }));
  expect(first).toBeInstanceOf(ApiError);
  expect(first).toMatchObject({ status: 401, code: 'unauthenticated' });
  expect(one.auth.session).toBeNull();
  const second = await failure(one.auth.signOut({ everywhere: true }));
  expect(second).toMatchObject({ code: 'unauthenticated' });
  await one.auth.signOut();
});

test('a storage that throws, as when blocked or on a server, is replaced by memory', async () => {
  const blocked = () => {
    throw new ReferenceError('localStorage is not defined');
  };
  const one = tab({ storage: { get: blocked, set: blocked, delete: blocked } });
  await one.auth.ready;
  const email = await signIn(one);
  expect(one.auth.session?.user.email).toBe(email);
  await one.auth.signOut();
  expect(one.auth.session).toBeNull();
});

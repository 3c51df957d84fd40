import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCookieAuth } from '../../../client/cookie-session.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { newPerson, settingsOf } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { cookieScene } from './scene.ts';

/** The page half of the client, against a backend with the other half and the real service. */

const scene = await cookieScene(await startWorld());
const { world, at, service, url, refused, opened, open, person, live, later } = scene;

test('a user signs up, in and out by every method, and the page follows', async () => {
  const { auth, heard } = open();
  await auth.ready;
  const email = 'ways@example.com';
  await auth.signUp.start({ email });
  const token = await at.mailed(email);
  const made = await auth.signUp.complete({ token, password: goodPassword });
  expect(made).toMatchObject({ user_created: true, user: { email } });
  expect(Object.keys(made).sort()).toEqual(['uid', 'user', 'user_created']);
  expect(auth.session).toEqual({ uid: made.uid, user: made.user });
  await auth.signOut();
  expect(auth.session).toBeNull();
  const { challenge_id } = await auth.signIn.startCode({ email });
  await auth.signIn.code({ challenge_id, code: await at.mailed(email) });
  await auth.signOut({ everywhere: true });
  await auth.forgotPassword({ email });
  const mailed = await at.mailed(email);
  await auth.signUp.complete({ token: mailed, password: `${goodPassword}!` });
  await auth.signIn.password({ email, password: `${goodPassword}!` });
  expect(await live((await auth.getAccessToken()) ?? '')).toBe(true);
  const [out] = ['signed_out'];
  expect(heard).toEqual([email, out, email, out, email, email]);
});

test('after a reload the page knows the user and the token with one request', async () => {
  const who = await person();
  const { auth, browser } = open();
  await auth.signIn.password(who);
  const { auth: next, asked, heard } = open(browser);
  await next.ready;
  expect(next.session).toEqual(auth.session);
  const tokens = await Promise.all([1, 2, 3].map(() => next.getAccessToken()));
  expect(new Set(tokens)).toEqual(new Set([await auth.getAccessToken()]));
  expect(asked).toEqual(['/auth/csrf', '/auth/token']);
  expect(heard).toEqual([who.email]);
});

test('without a session there is no token, after one request', async () => {
  const { auth, asked, heard } = open();
  expect(await auth.getAccessToken()).toBeUndefined();
  expect(await auth.getAccessToken()).toBeUndefined();
  expect([auth.session, heard, asked]).toEqual([null, [], ['/auth/csrf', '/auth/token']]);
});

test('the token is refreshed 30 seconds before its expiry, once for all callers', async () => {
  const { auth, asked } = open();
  await auth.signIn.password(await person());
  const first = await auth.getAccessToken();
  asked.length = 0;
  later(565);
  expect([await auth.getAccessToken(), asked]).toEqual([first, []]);
  later(8);
  const tokens = await Promise.all([1, 2, 3].map(() => auth.getAccessToken()));
  expect(asked).toEqual(['/auth/token']);
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).not.toBe(first);
  expect(await live(tokens[0] ?? '')).toBe(true);
});

test('api calls the service as the user, and repeats a call with a new token after a refusal', async () => {
  const who = await person();
  const { auth, asked } = open();
  await auth.signIn.password(who);
  expect((await auth.api.users.getMe()).body.email).toBe(who.email);
  const wrong = auth.api.passwords.change({
    current_password: 'wrong',
    new_password: goodPassword,
  });
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(asked.filter((path) => path === '/auth/token')).toHaveLength(1);
  // The service refuses a token that the page still considers valid.
  const used = await auth.getAccessToken();
  refused.add(used);
  expect((await auth.api.users.getMe()).body.email).toBe(who.email);
  expect(await auth.getAccessToken()).not.toBe(used);
});

test('a token that the application refused is refreshed once for all callers, and not returned again', async () => {
  const { auth, asked } = open();
  await auth.signIn.password(await person());
  const given = await auth.getAccessToken();
  asked.length = 0;
  const calls = [1, 2, 3].map(() => auth.getAccessToken({ refused: given }));
  const [next, ...others] = await Promise.all(calls);
  expect([next === given, others]).toEqual([false, [next, next]]);
  expect(await live(next ?? '')).toBe(true);
  expect([await auth.getAccessToken({ refused: given }), asked]).toEqual([next, ['/auth/token']]);
});

test('a session that was ended elsewhere ends in the page, with the reason', async () => {
  const { auth, heard } = open();
  const who = await person();
  await auth.signIn.password(who);
  const elsewhere = await at.signIn(who.email);
  await world.call('DELETE', '/sessions', elsewhere.bearer);
  await expect(auth.api.users.getMe()).rejects.toMatchObject({ status: 401 });
  expect([auth.session, heard]).toEqual([null, [who.email, 'unauthenticated']]);
});

test.each([
  ['cut', 'TypeError'],
  ['proxy', 'ApiError'],
] as const)(
  'a loading page retries twice if the connection fails (%s), and works again afterwards',
  async (way, name) => {
    const { auth, browser } = open();
    const who = await person();
    await auth.signIn.password(who);
    for (const failing of ['/auth/csrf', '/auth/token'] as const) {
      const loaded = open(browser);
      loaded.line.failing = failing;
      loaded.line.failures = 2;
      loaded.line[way] = true;
      await loaded.auth.ready;
      expect(loaded.auth.session?.user.email).toBe(who.email);
    }
    const offline = open(browser);
    offline.line[way] = true;
    await offline.auth.ready;
    expect([offline.auth.session, offline.asked]).toEqual([null, Array(3).fill('/auth/csrf')]);
    offline.asked.length = 0;
    await expect(offline.auth.getAccessToken()).rejects.toMatchObject({ name });
    offline.line[way] = false;
    await offline.auth.ready;
    expect(await live((await offline.auth.getAccessToken()) ?? '')).toBe(true);
    offline.asked.length = 0;
    offline.line[way] = true;
    await expect(offline.auth.signOut()).rejects.toMatchObject({ name });
    expect(offline.asked).toEqual(['/auth/sign-out']);
  },
);

test('the user stays signed in while the service is down', async () => {
  const { auth, asked, heard } = open();
  const who = await person();
  await auth.signIn.password(who);
  const used = await auth.getAccessToken();
  // In its last seconds the token is used.
  later(590);
  service.down = true;
  expect(await auth.getAccessToken()).toBe(used);
  await expect(auth.getAccessToken({ refused: used })).rejects.toMatchObject({ status: 503 });
  later(10);
  asked.length = 0;
  const asking = await Promise.allSettled([1, 2, 3].map(() => auth.getAccessToken()));
  service.down = false;
  const reason: unknown = expect.objectContaining({ code: 'temporarily_unavailable' });
  expect(asking).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })));
  expect(asked).toEqual(Array(3).fill('/auth/token'));
  expect(auth.session?.user.email).toBe(who.email);
  expect(await live((await auth.getAccessToken()) ?? '')).toBe(true);
  expect(heard).toEqual([who.email]);
});

test('a 401 of a proxy, before the backend or the service, does not sign the user out', async () => {
  const { auth, browser, heard, line } = open();
  const who = await person();
  await auth.signIn.password(who);
  later(600);
  line.login = true;
  await expect(auth.getAccessToken()).rejects.toMatchObject({ status: 401, requestId: '' });
  line.login = false;
  service.behindProxy = true;
  await expect(auth.getAccessToken()).rejects.toMatchObject({ status: 503 });
  const loaded = open(browser);
  await loaded.auth.ready;
  service.behindProxy = false;
  expect([browser.cookies.has('session'), heard]).toEqual([true, [who.email]]);
  for (const each of [auth, loaded.auth])
    expect(await live((await each.getAccessToken()) ?? '')).toBe(true);
});

test.each(['lost', 'torn'] as const)(
  'a sign-in whose response is %s is sent again, and is the same one',
  async (way) => {
    const { auth, asked, browser, line } = open();
    const who = await person();
    const { email } = who;
    const { challenge_id } = await auth.signIn.startCode({ email });
    const code = await at.mailed(email);
    Object.assign(line, { [way]: true, failing: '/sign-in/code', failures: 1 });
    asked.length = 0;
    await auth.signIn.code({ challenge_id, code });
    expect(asked).toEqual(Array(2).fill('/auth/sign-in/code'));
    // The sign-up, and this one.
    expect((await auth.api.sessions.list()).body.result).toHaveLength(2);
    expect(await live((await open(browser).auth.getAccessToken()) ?? '')).toBe(true);
  },
);

test('a sign-out during a sign-in or a refresh is final', async () => {
  const { auth, asked, browser, heard } = open();
  const who = await person();
  const signing = auth.signIn.password(who);
  const signingOut = auth.signOut();
  await expect(signing).rejects.toMatchObject({ name: 'AbortError' });
  await signingOut;
  expect([auth.session, browser.cookies.has('session'), heard]).toEqual([null, false, []]);
  await auth.signIn.password(who);
  later(590);
  asked.length = 0;
  const renewing = auth.getAccessToken();
  // The request has been sent, and no response can have arrived.
  await setImmediate();
  expect(asked).toEqual(['/auth/token']);
  await auth.signOut();
  expect(await renewing).toBeUndefined();
  expect([auth.session, browser.cookies.has('session')]).toEqual([null, false]);
});

test('a sign-out that could not reach the service throws, and ends the session in the page', async () => {
  const { auth, browser } = open();
  await auth.signIn.password(await person());
  service.down = true;
  const leaving = auth.signOut().finally(() => (service.down = false));
  await expect(leaving).rejects.toMatchObject({ status: 503 });
  expect([auth.session, browser.cookies.has('session')]).toEqual([null, false]);
});

test.each([
  ['without a response', 'cut', { name: 'TypeError' }],
  ['answered by a proxy', 'proxy', { status: 502 }],
  ['answered by a CDN with the page', 'page', { name: 'TypeError' }],
] as const)('a sign-out %s keeps the session, and can be retried', async (_, way, failure) => {
  const { auth, browser, heard, line } = open();
  const who = await person();
  await auth.signIn.password(who);
  line[way] = true;
  await expect(auth.signOut()).rejects.toMatchObject(failure);
  line[way] = false;
  expect([auth.session?.user.email, heard]).toEqual([who.email, [who.email]]);
  expect(await live((await auth.getAccessToken()) ?? '')).toBe(true);
  await auth.signOut();
  expect([browser.cookies.has('session'), auth.session]).toEqual([false, null]);
});

test('on a server no request is sent', async () => {
  Reflect.deleteProperty(globalThis, 'document');
  const { auth, asked, heard } = open();
  await auth.ready;
  expect([await auth.getAccessToken(), auth.session]).toEqual([undefined, null]);
  vi.stubGlobal('document', {});
  expect([asked, heard]).toEqual([[], []]);
});

test('a lost CSRF cookie is replaced automatically', async () => {
  const { auth, browser } = open();
  const who = await person();
  await auth.ready;
  browser.cookies.delete('session-csrf');
  await auth.signIn.password(who);
  expect(auth.session?.user.email).toBe(who.email);
});

test('the cookie has room for the longest tokens of the service', async () => {
  const wordy = await signInProject(world, { token_claims: ['app_metadata.plan'] });
  const { project_id: projectId, project } = wordy;
  const browser = openBrowser(await startBackend({ url: world.url, projectId }));
  const { auth } = open(browser);
  await auth.signIn.code(await wordy.code('ada@wordy.example.com'));
  const uid = auth.session?.uid ?? '';
  const backend = world.as(project);
  await backend.users.mergeMetadata({ uid, app_metadata: { plan: 'x'.repeat(960) } });
  const { workspace_id } = (await backend.workspaces.create({ name: 'A', owner_id: uid })).body;
  await auth.selectWorkspace(workspace_id);
  expect((await auth.getAccessToken())?.length).toBeGreaterThan(2_800);
  const { auth: reloaded } = open(browser);
  await reloaded.ready;
  expect(reloaded.session?.uid).toBe(uid);
});

test('an ID token of a provider signs in, with the session in the cookie', async () => {
  const google = await startOpenidProvider();
  onTestFinished(google.close);
  const identity_providers = { google: settingsOf(google) };
  const { project_id: projectId } = await signInProject(world, { identity_providers });
  const { auth, browser } = open(openBrowser(await startBackend({ url: world.url, projectId })));
  const email = 'ada@gmail.com';
  const id_token = await google.idToken(newPerson({ email }));
  const { user_created } = await auth.signIn.identity({ provider: 'google', id_token });
  expect([user_created, auth.session?.user.email]).toEqual([true, email]);
  expect(browser.cookies.get('session')).toMatch(/^rt_/);
  expect(await live((await auth.getAccessToken()) ?? '')).toBe(true);
});

test('without the url of the service, calls to it throw an explanation', async () => {
  const auth = createCookieAuth({ tabs: false, fetch: openBrowser(url).browse });
  opened.push(auth);
  await expect(auth.api.users.getMe()).rejects.toThrow('createCookieAuth has no url');
});

import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { type CookieAuth, createCookieAuth } from '../../../client/cookie-session.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/** The half in the page, against a real backend that has the other half, and the real service. */

// It is a page, as far as the session can tell.
vi.stubGlobal('document', {});

const world = await startWorld();
const at = await signInProject(world);
const service = { down: false };
const url = await startBackend({
  url: world.url,
  projectId: at.project_id,
  async fetch(...call) {
    if (service.down) throw new TypeError('fetch failed');
    return fetch(...call);
  },
});
/** Access tokens that the service no longer takes. */
const refused = new Set<string | undefined>();
const people = { count: 0 };
const opened: CookieAuth[] = [];
afterEach(() => {
  for (const auth of opened.splice(0)) auth.close();
  vi.useRealTimers();
});

type Browser = ReturnType<typeof openBrowser>;

/** A page of a browser, and the paths that it asks. */
function open(browser: Browser = openBrowser(url), tabs = false) {
  const asked: string[] = [];
  const line = { cut: false, proxy: false, page: false };
  const auth = createCookieAuth({
    path: '/auth',
    url: world.url,
    tabs,
    fetch(target, init) {
      const path = String(target);
      asked.push(path);
      if (line.cut) return Promise.reject(new TypeError('fetch failed'));
      if (line.proxy) return Promise.resolve(new Response('<h1>Bad Gateway</h1>', { status: 502 }));
      if (line.page) return Promise.resolve(new Response('<!doctype html><title>Shop</title>'));
      if (path.startsWith('/auth')) return browser.browse(target, init);
      const [, token] = new Headers(init?.headers).get('authorization')?.split(' ') ?? [];
      const headers = refused.has(token)
        ? { authorization: 'Bearer no.longer.good' }
        : init?.headers;
      return fetch(target, { ...init, ...(headers && { headers }) });
    },
  });
  opened.push(auth);
  const heard: unknown[] = [];
  auth.onChange((session, reason) => heard.push(session?.user.email ?? reason));
  return { auth, asked, heard, browser, line };
}

async function person() {
  const email = `page${(people.count += 1)}@example.com`;
  await at.signUp(email);
  return { email, password: goodPassword };
}
const live = async (token: string) =>
  (await world.call('GET', '/users/me', `Bearer ${token}`)).status === 200;
function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
}

test('a person signs up, out and in by every way, and the page follows', async () => {
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

test('after a reload the page knows who is signed in, and nobody is asked for the token again', async () => {
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

test('nobody is signed in: no token, no session, and one question', async () => {
  const { auth, asked, heard } = open();
  expect(await auth.getAccessToken()).toBeUndefined();
  expect(await auth.getAccessToken()).toBeUndefined();
  expect([auth.session, heard, asked]).toEqual([null, [], ['/auth/csrf', '/auth/token']]);
});

test('30 seconds before its end the token is renewed, once for all who ask', async () => {
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

test('api calls the service as the user, and again after the token was refused', async () => {
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
  // The service refuses a token that the page still takes for good.
  const used = await auth.getAccessToken();
  refused.add(used);
  expect((await auth.api.users.getMe()).body.email).toBe(who.email);
  expect(await auth.getAccessToken()).not.toBe(used);
});

test('the workspace that is chosen is in the next token, and in those after a reload', async () => {
  const { auth, browser } = open();
  await auth.signIn.password(await person());
  const made = await world.call('POST', '/workspaces', at.project.basic, {
    ...{ name: 'Acme', owner_id: auth.session?.uid },
  });
  const { workspace_id } = made.body;
  const named = async (of: CookieAuth) =>
    JSON.parse(atob((await of.getAccessToken())?.split('.')[1] ?? ''))['workspace_id'];
  await auth.selectWorkspace(workspace_id);
  expect(await named(auth)).toBe(workspace_id);
  expect(await named(open(browser).auth)).toBe(workspace_id);
  await auth.selectWorkspace(null);
  expect(await named(auth)).toBeUndefined();
});

test('a session that was ended elsewhere ends here, with the reason', async () => {
  const { auth, heard } = open();
  const who = await person();
  await auth.signIn.password(who);
  const elsewhere = await at.signIn(who.email);
  await world.call('DELETE', '/sessions', elsewhere.bearer);
  await expect(auth.api.users.getMe()).rejects.toMatchObject({ status: 401 });
  expect([auth.session, heard]).toEqual([null, [who.email, 'unauthenticated']]);
});

test('all pages hear that a session has ended, ask once each, and a sign-in under way goes on', async () => {
  const browser = openBrowser(url);
  const pages = [open(browser, true), open(browser, true), open(browser, true)] as const;
  const [one, two] = pages;
  const [ada, bob] = [await person(), await person()];
  const emails = () => pages.map(({ auth }) => auth.session?.user.email);
  /** All pages show somebody, whose session ends elsewhere. */
  async function end() {
    await one.auth.signIn.password(ada);
    await vi.waitFor(() => expect(emails()).toEqual(Array(3).fill(ada.email)));
    await world.call('DELETE', '/sessions', (await at.signIn(ada.email)).bearer);
    for (const { asked, heard } of pages) asked.length = heard.length = 0;
  }
  await end();
  await expect(one.auth.api.users.getMe()).rejects.toMatchObject({ code: 'unauthenticated' });
  await vi.waitFor(() => expect(emails()).toEqual(Array(3).fill(undefined)));
  for (const { heard, asked } of pages) {
    expect(heard).toEqual(['unauthenticated']);
    expect(asked.filter((path) => path.startsWith('/auth'))).toEqual(['/auth/token']);
  }
  await end();
  const ending = one.auth.api.users.getMe().catch(() => {});
  await vi.waitFor(() => expect(one.asked).toContain('/auth/token'));
  await two.auth.signIn.password(bob);
  await ending;
  await vi.waitFor(() => expect(emails()).toEqual(Array(3).fill(bob.email)));
});

test('while the service is down nobody is signed out', async () => {
  const { auth, asked, heard } = open();
  const who = await person();
  await auth.signIn.password(who);
  later(590);
  asked.length = 0;
  service.down = true;
  const asking = await Promise.allSettled([1, 2, 3].map(() => auth.getAccessToken()));
  service.down = false;
  const reason: unknown = expect.objectContaining({ code: 'temporarily_unavailable' });
  expect(asking).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })));
  expect(asked).toEqual(['/auth/token']);
  expect(auth.session?.user.email).toBe(who.email);
  expect(await live((await auth.getAccessToken()) ?? '')).toBe(true);
  expect(heard).toEqual([who.email]);
});

test('a sign-out that overtakes a sign-in or a renewal leaves nobody signed in', async () => {
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
  // It has been sent, and no answer can have come.
  await setImmediate();
  expect(asked).toEqual(['/auth/token']);
  await auth.signOut();
  expect(await renewing).toBeUndefined();
  expect([auth.session, browser.cookies.has('session')]).toEqual([null, false]);
});

test('a sign-out that the service did not hear of is told', async () => {
  const { auth, browser } = open();
  await auth.signIn.password(await person());
  service.down = true;
  const leaving = auth.signOut().finally(() => (service.down = false));
  await expect(leaving).rejects.toMatchObject({ status: 503 });
  expect([auth.session, browser.cookies.has('session')]).toEqual([null, false]);
});

test('listeners and other pages hear of a sign-out when the cookie has ended', async () => {
  const { auth, browser } = open(undefined, true);
  const { auth: other } = open(browser, true);
  const who = await person();
  await auth.signIn.password(who);
  await vi.waitFor(() => expect(other.session?.user.email).toBe(who.email));
  const cookies: boolean[] = [];
  for (const each of [auth, other])
    each.onChange((session) => session ?? cookies.push(browser.cookies.has('session')));
  await auth.signOut();
  await vi.waitFor(() => expect(cookies).toEqual([false, false]));
});

test.each([
  ['without an answer', 'cut', { name: 'TypeError' }],
  ['that a proxy has answered', 'proxy', { status: 502 }],
  ['that a CDN has answered with the page', 'page', { name: 'TypeError' }],
] as const)(
  'a sign-out %s leaves the session, and can be asked for again',
  async (_, way, failure) => {
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
  },
);

test('a server that renders the page asks nobody', async () => {
  Reflect.deleteProperty(globalThis, 'document');
  const { auth, asked, heard } = open();
  await auth.ready;
  expect([await auth.getAccessToken(), auth.session]).toEqual([undefined, null]);
  vi.stubGlobal('document', {});
  expect([asked, heard]).toEqual([[], []]);
});

test('a lost CSRF cookie is got again without a word', async () => {
  const { auth, browser } = open();
  const who = await person();
  await auth.ready;
  browser.cookies.delete('session-csrf');
  await auth.signIn.password(who);
  expect(auth.session?.user.email).toBe(who.email);
});

test('the pages of a browser follow one another', async () => {
  const browser = openBrowser(url);
  const [one, other] = [open(browser, true), open(browser, true)];
  await Promise.all([one.auth.ready, other.auth.ready]);
  const [ada, bob] = [await person(), await person()];
  await one.auth.signIn.password(ada);
  await vi.waitFor(() => expect(other.auth.session?.user.email).toBe(ada.email));
  await other.auth.signIn.password(bob);
  await vi.waitFor(() => expect(one.auth.session?.user.email).toBe(bob.email));
  expect(await one.auth.getAccessToken()).toBe(await other.auth.getAccessToken());
  await one.auth.signOut();
  await vi.waitFor(() => expect(other.auth.session).toBeNull());
  expect(other.heard).toEqual([ada.email, bob.email, 'signed_out']);
  expect(await other.auth.getAccessToken()).toBeUndefined();
});

test('a call that waits while another page signs in goes on with the new session', async () => {
  const browser = openBrowser(url);
  const [one, other] = [open(browser, true), open(browser, true)];
  const who = await person();
  await one.auth.signIn.password(who);
  await vi.waitFor(() => expect(other.auth.session?.user.email).toBe(who.email));
  later(600);
  // The sign-in has its turn first.
  const signingIn = other.auth.signIn.password(who);
  const calls = [one.auth.api.users.getMe(), one.auth.getAccessToken()] as const;
  const [, me, token] = await Promise.all([signingIn, ...calls]);
  expect([me.body.email, await live(token ?? '')]).toEqual([who.email, true]);
});

test('tokens as long as the service issues them have room in the cookie', async () => {
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

test('what is begun as one user is not done as another, who has signed in where the page did not hear', async () => {
  const browser = openBrowser(url);
  const [one, other] = [open(browser), open(browser)];
  const [ada, bob] = [await person(), await person()];
  await one.auth.signIn.password(ada);
  await other.auth.signIn.password(bob);
  later(600);
  one.asked.length = 0;
  const call = one.auth.api.users.getMe().catch((error: unknown) => error);
  expect(await call).toMatchObject({ name: 'AbortError' });
  expect(one.asked.filter((path) => path.startsWith(world.url))).toEqual([]);
});

test('without the address of the service, what asks it says so', async () => {
  const auth = createCookieAuth({ tabs: false, fetch: openBrowser(url).browse });
  opened.push(auth);
  await expect(auth.api.users.getMe()).rejects.toThrow('createCookieAuth has no url');
});

import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { CookieAuth } from '../../../client/cookie-session.ts';
import { openBrowser } from '../../support/cookie-browser.ts';
import { stubPageShow } from '../../support/page-show.ts';
import { startWorld } from '../../support/world.ts';
import { cookieScene } from './scene.ts';

/** The pages of one browser acting concurrently, and one page with concurrent calls. */

const world = await startWorld();
const { at, service, url, open, person, live, later } = await cookieScene(world);

const named = async (of: CookieAuth) =>
  JSON.parse(atob((await of.getAccessToken())?.split('.')[1] ?? ''))['workspace_id'];
async function createWorkspace({ session }: CookieAuth): Promise<string> {
  const body = { name: 'Acme', owner_id: session?.uid };
  return (await world.call('POST', '/workspaces', at.project.basic, body)).body.workspace_id;
}

test('the selected workspace is in the next token, and in those after a reload', async () => {
  const { auth, browser } = open();
  await auth.signIn.password(await person());
  const workspace_id = await createWorkspace(auth);
  await auth.selectWorkspace(workspace_id);
  expect(await named(auth)).toBe(workspace_id);
  expect(await named(open(browser).auth)).toBe(workspace_id);
  await auth.selectWorkspace(null);
  expect(await named(auth)).toBeUndefined();
});

test('of two workspaces selected during a refresh, the second is in the token', async () => {
  const { auth, asked, line } = open();
  await auth.signIn.password(await person());
  const [acme, bolt] = [await createWorkspace(auth), await createWorkspace(auth)];
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  line.arrival = arrival;
  asked.length = 0;
  const first = auth.selectWorkspace(acme);
  // The selection has been answered.
  await vi.waitFor(() => expect(asked).toContain('/auth/token'), { timeout: 10_000 });
  // Milliseconds, enough for its follow-up request to be answered.
  await setTimeout(200);
  const second = auth.selectWorkspace(bolt);
  await setTimeout(200);
  arrive();
  await Promise.all([first, second]);
  expect(await named(auth)).toBe(bolt);
});

test('two pages that select different workspaces each get their own in the token', async () => {
  const browser = openBrowser(url);
  const [one, two] = [open(browser, true), open(browser, true)];
  await one.auth.signIn.password(await person());
  await vi.waitFor(() => expect(two.auth.session).not.toBeNull());
  const [acme, bolt] = [await createWorkspace(one.auth), await createWorkspace(one.auth)];
  await two.auth.selectWorkspace(acme);
  await one.auth.selectWorkspace(bolt);
  expect(await named(one.auth)).toBe(bolt);
  expect(await named(two.auth)).toBe(acme);
});

test('a selection works after one whose refresh was lost on the way to the backend', async () => {
  const { auth, asked } = open();
  await auth.signIn.password(await person());
  const [acme, bolt] = [await createWorkspace(auth), await createWorkspace(auth)];
  service.loses = '/sessions/token/refresh';
  await expect(auth.selectWorkspace(acme)).rejects.toMatchObject({ status: 503 });
  service.loses = '';
  await auth.selectWorkspace(bolt);
  expect(await named(auth)).toBe(bolt);
  asked.length = 0;
  await auth.selectWorkspace(acme);
  expect(asked.filter((path) => path === '/auth/token')).toHaveLength(1);
});

test('the path may end in slashes', async () => {
  const { auth } = open(undefined, false, '/auth//');
  const who = await person();
  await auth.signIn.password(who);
  expect(auth.session?.user.email).toBe(who.email);
});

test('if the browser denies locks, the session works anyway', async () => {
  const request = async () => {
    throw new DOMException('Access to the Locks API is denied in this context', 'SecurityError');
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  try {
    const { auth, asked } = open(undefined, true);
    const who = await person();
    await auth.signIn.password(who);
    later(600);
    expect((await auth.api.users.getMe()).body.email).toBe(who.email);
    expect(asked.filter((path) => path === '/auth/token')).toHaveLength(2);
    await expect(auth.signIn.password({ ...who, password: 'wrong' })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    expect(asked.filter((path) => path === '/auth/sign-in/password')).toHaveLength(2);
  } finally {
    Reflect.deleteProperty(navigator, 'locks');
  }
});

/** Two pages: while one signs in, the sign-out response of the other is in transit; both wait. */
async function crossing() {
  const browser = openBrowser(url);
  const [leaving, entering] = [open(browser, true), open(browser, true)];
  const [ada, bob] = [await person(), await person()];
  await leaving.auth.signIn.password(ada);
  await vi.waitFor(() => expect(entering.auth.session?.user.email).toBe(ada.email));
  const [out, entered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  leaving.line.arrival = out.promise;
  entering.line.arrival = entered.promise;
  const signingOut = leaving.auth.signOut();
  await vi.waitFor(() => expect(browser.cookies.has('session')).toBe(false));
  const signingIn = entering.auth.signIn.password(bob);
  signingIn.catch(() => {});
  return { browser, leaving, entering, bob, out, entered, signingOut, signingIn };
}

test('a sign-in that follows the sign-out of another page is not ended by it', async () => {
  const { leaving, entering, bob, out, entered, signingOut, signingIn } = await crossing();
  out.resolve();
  await signingOut;
  entered.resolve();
  expect((await signingIn).user.email).toBe(bob.email);
  expect(await live((await entering.auth.getAccessToken()) ?? '')).toBe(true);
  await vi.waitFor(() => expect(leaving.auth.session?.user.email).toBe(bob.email));
});

test('without locks, a sign-in concurrent to the sign-out of another page signs no user in', async () => {
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  try {
    const { browser, entering, out, entered, signingOut, signingIn } = await crossing();
    await vi.waitFor(() => expect(browser.cookies.has('session')).toBe(true));
    out.resolve();
    await signingOut;
    await vi.waitFor(() => expect(entering.heard.at(-1)).toBe('signed_out'));
    entered.resolve();
    await expect(signingIn).rejects.toMatchObject({ name: 'AbortError' });
    expect([entering.auth.session, browser.cookies.has('session')]).toEqual([null, false]);
  } finally {
    Reflect.deleteProperty(navigator, 'locks');
  }
});

test('listeners and other pages are notified of a sign-out after the cookie has ended', async () => {
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

test('all pages notice that a session has ended, with one request each; a concurrent sign-in succeeds', async () => {
  const browser = openBrowser(url);
  const pages = [open(browser, true), open(browser, true), open(browser, true)] as const;
  const [one, two] = pages;
  const [ada, bob] = [await person(), await person()];
  const emails = () => pages.map(({ auth }) => auth.session?.user.email);
  /** All pages show a user whose session ends elsewhere. */
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

test("the pages of a browser follow each other's sign-ins and sign-outs", async () => {
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

test('a page that is shown again as it was left follows what happened meanwhile', async () => {
  const show = stubPageShow();
  const browser = openBrowser(url);
  const [ada, bob] = [await person(), await person()];
  const left = open(browser);
  await left.auth.signIn.password(ada);
  const next = open(browser);
  await next.auth.ready;
  await next.auth.signOut();
  show(false);
  expect(left.auth.session?.user.email).toBe(ada.email);
  show(true);
  await vi.waitFor(() => expect(left.auth.session).toBeNull());
  await next.auth.signIn.password(bob);
  show(true);
  await vi.waitFor(() => expect(left.auth.session?.user.email).toBe(bob.email));
  left.auth.close();
  left.asked.length = 0;
  show(true);
  expect(left.asked).toEqual([]);
});

test('a call that waits while another page signs in uses the new session', async () => {
  const browser = openBrowser(url);
  const [one, other] = [open(browser, true), open(browser, true)];
  const who = await person();
  await one.auth.signIn.password(who);
  await vi.waitFor(() => expect(other.auth.session?.user.email).toBe(who.email));
  later(600);
  // The sign-in gets the lock first.
  const signingIn = other.auth.signIn.password(who);
  const calls = [one.auth.api.users.getMe(), one.auth.getAccessToken()] as const;
  const [, me, token] = await Promise.all([signingIn, ...calls]);
  expect([me.body.email, await live(token ?? '')]).toEqual([who.email, true]);
});

/** Two pages of one user, and how the backend changes their name. */
async function twoPages() {
  const browser = openBrowser(url);
  const [one, other] = [open(browser, true), open(browser, true)];
  const who = await person();
  await one.auth.signIn.password(who);
  await vi.waitFor(() => expect(other.auth.session?.user.email).toBe(who.email));
  const uid = other.auth.session?.uid ?? '';
  const become = async (display_name: string) =>
    expect((await world.as(at.project).users.update({ uid, display_name })).status).toBe(200);
  return { one, other, who, become };
}

test('what has changed of the user is known where another page signs in as the same user', async () => {
  const { one, other, who, become } = await twoPages();
  await become('Eve');
  await one.auth.signIn.password(who);
  await vi.waitFor(() => expect(other.auth.session?.user.display_name).toBe('Eve'));
});

test('what has changed of the user is known with a token that another page has renewed', async () => {
  const { one, other, become } = await twoPages();
  await become('Eve');
  const refused = await one.auth.getAccessToken();
  await one.auth.getAccessToken({ refused });
  expect(await other.auth.getAccessToken({ refused })).not.toBe(refused);
  expect(other.auth.session?.user.display_name).toBe('Eve');
});

test('what has changed of the user is known with the next token, if the first question was lost', async () => {
  const { one, other, who, become } = await twoPages();
  await become('Eve');
  Object.assign(other.line, { failing: '/token', cut: true });
  other.asked.length = 0;
  await one.auth.signIn.password(who);
  // The tries of one request.
  await vi.waitFor(() => expect(other.asked.length).toBeGreaterThan(2), { timeout: 5_000 });
  await expect(other.auth.getAccessToken()).rejects.toThrow('fetch failed');
  other.line.cut = false;
  await other.auth.getAccessToken();
  expect(other.auth.session?.user.display_name).toBe('Eve');
});

test.each(['loses', 'hangs'] as const)(
  'a page whose user is known gets its token also where the service %s the user',
  async (fails) => {
    const { one, other, who } = await twoPages();
    const before = await other.auth.getAccessToken();
    service[fails] = '/users/me';
    other.asked.length = 0;
    await one.auth.signIn.password(who);
    await vi.waitFor(() => expect(other.asked).toContain('/auth/token'));
    const token = await Promise.race([other.auth.getAccessToken(), setTimeout(10_000, 'waits')]);
    service[fails] = '';
    expect(token).not.toBe(before);
    expect(await live(token ?? '')).toBe(true);
    expect(other.auth.session?.user.email).toBe(who.email);
  },
);

test('a call fails if another user has signed in without this page knowing', async () => {
  const browser = openBrowser(url);
  const [one, other] = [open(browser), open(browser)];
  const [ada, bob] = [await person(), await person()];
  await one.auth.signIn.password(ada);
  await other.auth.signIn.password(bob);
  later(600);
  one.asked.length = 0;
  const begun = [one.auth.api.users.getMe(), one.auth.getAccessToken()];
  for (const each of await Promise.allSettled(begun))
    expect(each).toMatchObject({ reason: { name: 'AbortError' } });
  expect(one.asked.filter((path) => path.startsWith(world.url))).toEqual([]);
});

test('the signal of a call aborts the call, but not the refresh that it waits for', async () => {
  const { auth, line } = open();
  const who = await person();
  await auth.signIn.password(who);
  later(600);
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  line.arrival = arrival;
  const call = auth.api.users.getMe({}, { signal: AbortSignal.timeout(100) });
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  arrive();
  expect((await auth.api.users.getMe()).body.email).toBe(who.email);
});

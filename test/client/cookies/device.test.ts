import { afterEach, expect, test, vi } from 'vitest';
import { createCookieAuth } from '../../../client/cookie-session.ts';
import { createLinks } from '../../../client/links.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/** Mailed links and the device token, where a backend keeps the session in a cookie. */
const world = await startWorld();
/** A refresh or device token as a value: its letters alone occur by chance in the signature of an access token. */
const aToken = /["=][rd]t_/;
const ours = await signInProject(world);
const { project_id: projectId } = ours;
const url = await startBackend({ url: world.url, projectId });
afterEach(() => vi.unstubAllGlobals());

function open(agent = 'at home') {
  const browser = openBrowser(url);
  const browse: typeof fetch = (target, init = {}) =>
    browser.browse(target, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'user-agent': agent },
    });
  const auth = createCookieAuth({ fetch: browse, tabs: false });
  return { ...browser, auth, links: createLinks({ url: world.url, projectId, auth }) };
}

/** The number of mails about a new device. */
async function newDeviceMails(email: string): Promise<number> {
  await world.drainStream();
  const mails = world.mails().filter(({ to }) => to === email);
  return mails.filter(({ subject }) => subject.startsWith('New sign-in')).length;
}

test('a mailed link signs in the page that requested it, with the session in the cookie', async () => {
  const email = 'link@example.com';
  const { auth, links, cookies, seen } = open();
  const { link_id, expires_in } = await links.start(email);
  expect(expires_in).toBe(900);
  const token = await ours.mailed(email);
  const entered = await links.signIn({ link_id, token, display_name: 'Ada' });
  expect(entered).toMatchObject({ user_created: true, user: { email, display_name: 'Ada' } });
  expect(auth.session?.user.email).toBe(email);
  expect(cookies.get('session')).toMatch(/^rt_/);
  expect(JSON.stringify(seen)).not.toMatch(aToken);
  await expect(links.signIn({ link_id, token })).rejects.toMatchObject({
    ...{ status: 401, code: 'invalid_credentials' },
  });
});

test('in another browser the link shows a code for the page that requested it', async () => {
  const email = 'elsewhere@example.com';
  const [asking, other] = [open(), open()];
  const { link_id } = await asking.links.start(email);
  const token = await ours.mailed(email);
  expect(other.links.isOwn(link_id)).toBe(false);
  const code = await other.links.showCode({ link_id, token });
  await expect(other.links.signIn({ link_id, code })).rejects.toMatchObject({ status: 401 });
  await asking.links.signIn({ link_id, code });
  expect([asking.auth.session?.user.email, other.auth.session]).toEqual([email, null]);
});

test('the device token is in an HttpOnly cookie that survives the sign-out', async () => {
  const email = 'device@example.com';
  await ours.signUp(email);
  const { auth, cookies, set, seen, browse, post } = open();
  await auth.signIn.password({ email, password: goodPassword });
  const mails = await newDeviceMails(email);
  const kept = cookies.get('session-device');
  expect(kept).toMatch(/^dt_/);
  expect(set.filter((each) => each.startsWith('session-device='))).toEqual([
    `session-device=${kept}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict`,
  ]);
  await auth.signOut();
  expect([cookies.get('session'), cookies.get('session-device')]).toEqual([undefined, kept]);
  const moved: typeof browse = (target, init = {}) =>
    browse(target, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'user-agent': 'moved' },
    });
  const abroad = createCookieAuth({ fetch: moved, tabs: false });
  await abroad.signIn.password({ email, password: goodPassword });
  expect([await newDeviceMails(email), cookies.get('session-device')]).toEqual([mails, kept]);
  expect(JSON.stringify(seen)).not.toMatch(aToken);
  // A browser without the cookie is a new device, whatever its page sends.
  cookies.delete('session-device');
  const proof = { email, password: goodPassword };
  expect((await post('/sign-in/password', proof)).status).toBe(201);
  expect(cookies.get('session-device')).toMatch(/^dt_/);
  await open('moved').auth.signIn.password(proof);
  expect(await newDeviceMails(email)).toBeGreaterThan(mails);
});

test('a cookie that is not a device token is not sent to the service', async () => {
  const email = 'planted@example.com';
  await ours.signUp(email);
  const { auth, cookies } = open();
  for (const planted of ['', 'x', 'dt_a"b', `dt_${'a'.repeat(300)}`]) {
    cookies.set('session-device', planted);
    await auth.signIn.password({ email, password: goodPassword });
    expect(cookies.get('session-device')).toMatch(/^dt_[\w.-]+$/);
  }
});

test('over https the device cookie has the prefix __Host-', async () => {
  const email = 'https@example.com';
  await ours.signUp(email);
  const backend = await startBackend({ url: world.url, projectId, secure: true });
  const { post, set } = openBrowser(backend);
  const proof = { email, password: goodPassword };
  expect((await post('/sign-in/password', proof)).status).toBe(201);
  expect(set.filter((each) => each.includes('-device='))).toEqual([
    expect.stringMatching(
      /^__Host-session-device=dt_.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    ),
  ]);
});

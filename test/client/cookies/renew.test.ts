import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { ApiError } from '../../../client/api-error.ts';
import { createCookieHandler, readAccessToken } from '../../../client/cookies.ts';
import { CookieJar } from '../../support/cookie-jar.ts';
import { signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

/** The renewal of a session before a page is rendered, as in a proxy of Next.js, where several requests come at once. */

const world = await startWorld();
const at = await signInProject(world);
const service = { down: false, pause: false, calls: 0, most: Infinity };
const auth = createCookieHandler({
  url: world.url,
  projectId: at.project_id,
  async fetch(...call) {
    service.calls += 1;
    if (service.down || service.calls > service.most) throw new TypeError('fetch failed');
    if (service.pause) return new Response(null, { status: 503, headers: { 'retry-after': '9' } });
    return fetch(...call);
  },
});
afterEach(() => {
  Object.assign(service, { down: false, pause: false, calls: 0, most: Infinity });
});

const name = '__Host-session';
/** A browser in which a new user is signed in, with cookies of other names. */
async function openBrowser(email: string) {
  const cookies = new CookieJar([['theme', 'dark']]);
  const { access_token, refresh_token } = await at.signUp(email);
  cookies.set(name, `${refresh_token}:${access_token}`);
  const renew = (cookie = cookies.header.cookie ?? '', path = '/notes') => {
    const headers = { cookie, accept: '*/*' };
    return auth.renew(new Request(`https://app.example.com${path}`, { headers }));
  };
  return { cookies, renew, bearer: `Bearer ${access_token}` };
}
const emailOf = async (token = '') =>
  (await world.call('GET', '/users/me', `Bearer ${token}`)).body['email'];

test('a token that is still valid is returned without a request, and no cookie is set', async () => {
  const { cookies, renew } = await openBrowser('fresh@example.com');
  const { accessToken, headers, setCookies } = await renew();
  expect(await emailOf(accessToken)).toBe('fresh@example.com');
  expect(Object.fromEntries(headers)).toEqual({ accept: '*/*', ...cookies.header });
  expect([setCookies, service.calls]).toEqual([[], 0]);
});

test('concurrent requests with an expired token all get the same successor, for the page and for the browser', async () => {
  const { cookies, renew } = await openBrowser('parallel@example.com');
  pass(600_000);
  const all = await Promise.all(Array.from({ length: 8 }, () => renew()));
  const [first] = all;
  expect(new Set(all.map(({ accessToken }) => accessToken)).size).toBe(1);
  expect(await emailOf(first?.accessToken)).toBe('parallel@example.com');
  for (const { accessToken, headers, setCookies } of all) {
    expect(readAccessToken({ headers })).toBe(accessToken);
    expect(headers.get('cookie')).toMatch(/^theme=dark; __Host-session=[^;]+$/);
    expect(setCookies).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Strict; Secure$/)]);
  }
  cookies.keep(first?.setCookies ?? []);
  expect(await renew()).toMatchObject({ accessToken: first?.accessToken, setCookies: [] });
});

test('an old cookie, whose successor was lost twice, leads to the newest token', async () => {
  const { cookies, renew } = await openBrowser('lost@example.com');
  const { cookie } = cookies.header;
  pass(600_000);
  cookies.keep((await renew()).setCookies);
  pass(600_000);
  const { accessToken } = await renew();
  expect((await renew(cookie)).accessToken).toBe(accessToken);
  expect(await emailOf(accessToken)).toBe('lost@example.com');
});

test('a successor that has expired reaches the browser, also if the next one does not come', async () => {
  const { cookies, renew } = await openBrowser('half@example.com');
  pass(600_000);
  await renew();
  pass(600_000);
  service.most = service.calls + 1;
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { accessToken, setCookies } = await renew();
  vi.restoreAllMocks();
  expect([accessToken, setCookies.length]).toEqual([undefined, 1]);
  service.most = Infinity;
  const old = cookies.header.cookie;
  cookies.keep(setCookies);
  expect(cookies.header.cookie).not.toBe(old);
  expect(await emailOf((await renew()).accessToken)).toBe('half@example.com');
});

test('a page waits 5 s at most, also if the service asks for a longer pause', async () => {
  const { renew } = await openBrowser('slow@example.com');
  pass(600_000);
  service.pause = true;
  const { timeout } = AbortSignal;
  const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(20));
  const refusal = renew().catch(({ code }: ApiError) => code);
  expect(await Promise.race([refusal, sleep(8_000, 'waits')])).toBe('temporarily_unavailable');
  expect(asked.mock.calls).toEqual([[5_000]]);
  vi.restoreAllMocks();
});

test('an ended session ends the cookie, also for the page that is rendered', async () => {
  const { cookies, renew, bearer } = await openBrowser('ended@example.com');
  await world.call('DELETE', '/sessions/current', bearer);
  pass(600_000);
  const { accessToken, headers, setCookies } = await renew();
  expect([accessToken, readAccessToken({ headers })]).toEqual([undefined, undefined]);
  cookies.keep(setCookies);
  expect([...cookies]).toEqual([['theme', 'dark']]);
});

test('if the service cannot be asked, the renewal fails and the session goes on', async () => {
  const { renew } = await openBrowser('away@example.com');
  pass(600_000);
  service.down = true;
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await expect(renew()).rejects.toMatchObject({ status: 503, code: 'temporarily_unavailable' });
  vi.restoreAllMocks();
  service.down = false;
  expect(await emailOf((await renew()).accessToken)).toBe('away@example.com');
});

test.each([
  ['no cookie of a session', 'theme=dark; nameless'],
  ['two of them, one of which was planted', `${name}=a:b; ${name}=c:d`],
  ['one that the handler cannot have set', `${name}=`],
])('with %s nobody is signed in, and the service is not asked', async (_, cookie) => {
  const { renew } = await openBrowser(`${cookie.length}@example.com`);
  const { accessToken, headers, setCookies } = await renew(cookie);
  expect([accessToken, headers.get('cookie'), setCookies]).toEqual([undefined, cookie, []]);
  expect(service.calls).toBe(0);
});

test('the renewed cookie takes the place of the old one alone', async () => {
  const { cookies, renew } = await openBrowser('others@example.com');
  pass(600_000);
  const cookie = `nameless; ${cookies.header.cookie}; __Host-session-csrf=x=y`;
  const { headers } = await renew(cookie);
  expect(headers.get('cookie')).toMatch(
    /^nameless; theme=dark; __Host-session-csrf=x=y; __Host-session=[^;]+$/,
  );
});

test('at a path of the handler nothing is renewed, because its response sets the cookie', async () => {
  const { cookies, renew } = await openBrowser('own@example.com');
  pass(600_000);
  const { setCookies } = await renew(cookies.header.cookie, '/auth/sign-out');
  expect([setCookies, service.calls]).toEqual([[], 0]);
  expect((await renew(cookies.header.cookie, '/authors')).setCookies).toHaveLength(1);
});

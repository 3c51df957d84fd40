import { expect, test, vi } from 'vitest';
import { createCookieHandler } from '../../../client/cookies.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { oauthScene, redirected, reissued } from '../../support/oauth.ts';
import { startWorld } from '../../support/world.ts';

/** Sign-in and sign-out by the hosted pages, with the session in a cookie of the backend, against the real service. */
const world = await startWorld();
const scene = await oauthScene(world);
const { project_id, web, authorize, logout } = scene;
const redirectUri = 'https://app.example.com/auth/callback';
const postLogoutRedirectUri = 'https://app.example.com/bye';
await scene.set({ oauth_clients: [{ ...web, redirect_uris: [redirectUri] }] });
const ada = await scene.visitor({ email: 'ada@hosted.example.com' });

/** A hook for the backend's requests to `/token`: it may change or drop their responses. */
const network = {
  away: false,
  meddle: (tokens: { id_token: string }): object => tokens,
};
const hostedPages = { clientId: web.client_id, redirectUri, postLogoutRedirectUri };
const options = { url: world.url, projectId: project_id };
const url = await startBackend({
  ...options,
  hostedPages,
  async fetch(to, init) {
    if (network.away) throw new TypeError('fetch failed');
    const response = await fetch(to, init);
    if (!String(to).endsWith('/token') || !response.ok) return response;
    return Response.json(network.meddle((await response.json()) as { id_token: string }));
  },
});

type Browser = ReturnType<typeof openBrowser>;
/** The target of a response: of its redirect, or of the page that the handler shows. */
async function visit(browser: Browser, path: string, headers: Record<string, string> = {}) {
  const response = await browser.browse(`/auth${path}`, { redirect: 'manual', headers });
  const html = await response.text();
  const [, page] = /content="0;url=([^"]*)"/.exec(html) ?? [];
  const to = response.headers.get('location') ?? page?.replaceAll('&amp;', '&');
  return { status: response.status, headers: response.headers, to, html };
}
/** Goes from the application to the service, in whose pages Ada is signed in, and back to the callback. */
async function roundTrip(browser: Browser, path = '/sign-in?return_to=/notes'): Promise<URL> {
  const { status, to = '' } = await visit(browser, path);
  expect(status).toBe(303);
  const answer = await authorize(Object.fromEntries(new URL(to).searchParams), ada.cookie);
  return new URL(redirected(answer).location);
}
const enter = (browser: Browser, { search }: URL) => visit(browser, `/callback${search}`);
const isSignedIn = async (browser: Browser) => (await browser.post('/token')).status === 200;

test('a link leads to the service and back to the page, which then has a session of its own', async () => {
  const browser = openBrowser(url);
  const back = await roundTrip(browser, '/sign-in?return_to=/notes%3Fa%3D%22b%22%26c%23d');
  expect(back.href).toMatch(/^https:\/\/app\.example\.com\/auth\/callback\?code=/);
  const { status, headers, to, html } = await enter(browser, back);
  expect([status, to]).toEqual([200, '/notes?a=%22b%22&c#d']);
  // The URL of this page contains the code, so no other site may read or frame it.
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(html).not.toContain(back.searchParams.get('code'));
  const { body } = await browser.post('/token', { user: true });
  expect(body).toMatchObject({ uid: ada.uid, user: { email: 'ada@hosted.example.com' } });
  const { access_token } = body as { access_token: string };
  const renewed = await browser.post('/token', { refused: access_token });
  expect(renewed.body).toMatchObject({ uid: ada.uid });
  expect(browser.cookies.has('session-sign-ins')).toBe(false);
  expect(JSON.stringify(browser.seen)).not.toContain(browser.cookies.get('session')?.split(':')[0]);
});

test('the request has PKCE and the parameters of the link, and its secrets stay in HttpOnly cookies', async () => {
  const browser = openBrowser(url);
  const wishes = 'prompt=login&login_hint=ada%40example.com&ui_locales=de';
  const { to = '' } = await visit(browser, `/sign-in?${wishes}`);
  const { given } = redirected({ headers: new Headers({ location: to }) });
  expect(given).toEqual({
    ...{ response_type: 'code', client_id: web.client_id, redirect_uri: redirectUri },
    ...{ scope: 'openid email profile', code_challenge_method: 'S256' },
    ...{ prompt: 'login', login_hint: 'ada@example.com', ui_locales: 'de' },
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  const kept = browser.cookies.get('session-sign-ins') ?? '';
  // A value of two letters, such as a language, would be in some by chance.
  const values = Object.values(given).filter((value) => value.length > 4);
  expect(values.filter((value) => kept.includes(value))).toEqual([]);
  expect(browser.set).toEqual([
    expect.stringMatching(/^session-sign-ins=.*; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  await enter(browser, await roundTrip(browser));
  for (const name of ['session', 'session-id-token'])
    expect(browser.set).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${name}=.+; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict$`),
      ),
    );
});

test.each([
  ['another site', 'https://evil.example.com/'],
  ['another host', '//evil.example.com'],
  ['another host, as browsers read it', '/\\evil.example.com'],
  ['another host behind a tab', '/\t/evil.example'],
  ['another host behind a dot segment', '/.//evil.example/'],
  ['another host behind an encoded dot segment', '/%2e\\/evil.example/'],
  ['another host behind a double-dot segment', '/notes/..//evil.example/'],
  ['no path', 'notes'],
  ['a path that is too long for the cookie', `/${'x'.repeat(598)}`],
])('return_to may not be %s', async (_, to) => {
  const response = await fetch(`${url}/auth/sign-in?return_to=${encodeURIComponent(to)}`, {
    redirect: 'manual',
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringContaining('return_to'),
  });
});

test.each([
  ['another state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
  ['no state', (back: URL) => back.searchParams.delete('state')],
  ['no cookie, as in another browser', (_: URL, { cookies }: Browser) => cookies.clear()],
  [
    'an invalid cookie',
    (_: URL, { cookies }: Browser) => cookies.set('session-sign-ins', '%:%//:'),
  ],
])(
  'a response with %s is not redeemed: the sign-in is repeated once, then reports an error',
  async (_, change) => {
    const browser = openBrowser(url);
    const back = await roundTrip(browser);
    change(back, browser);
    const again = await enter(browser, back);
    expect([again.status, again.to]).toEqual([303, expect.stringContaining('/authorize?')]);
    expect(await isSignedIn(browser)).toBe(false);
    const { searchParams } = new URL(again.to ?? '');
    const answer = await authorize(Object.fromEntries(searchParams), ada.cookie);
    const second = new URL(redirected(answer).location);
    const blocked = openBrowser(url);
    expect((await enter(blocked, second)).to).toBe('/?sign_in_error=state_mismatch');
    expect((await enter(browser, second)).to).toBe('/');
    expect(await isSignedIn(browser)).toBe(true);
  },
);

const meddled = (changes: object) => (tokens: { id_token: string }) => ({
  ...tokens,
  id_token: reissued(tokens.id_token, changes),
});
test.each<[string, string, (back: URL) => unknown]>([
  [
    'another server has responded (mix-up, RFC 9207)',
    'issuer_mismatch',
    (back) => back.searchParams.set('iss', 'https://evil.example.com'),
  ],
  [
    'the service returns an error',
    'login_required',
    (back) => {
      back.searchParams.delete('code');
      back.searchParams.set('error', 'login_required');
    },
  ],
  [
    'the ID token is of another request',
    'id_token_mismatch',
    () => (network.meddle = meddled({ nonce: 'x' })),
  ],
  [
    'the ID token is for another client',
    'id_token_mismatch',
    () => (network.meddle = meddled({ aud: 'x' })),
  ],
  ['the service returns no tokens', 'id_token_mismatch', () => (network.meddle = () => ({}))],
  ['the service is unavailable', 'temporarily_unavailable', () => (network.away = true)],
])('if %s, no user is signed in, and the page gets %s', async (_, code, change) => {
  const browser = openBrowser(url);
  const back = await roundTrip(browser, '/sign-in?return_to=/notes%3Fa%3Db');
  change(back);
  try {
    expect((await enter(browser, back)).to).toBe(`/notes?a=b&sign_in_error=${code}`);
  } finally {
    Object.assign(network, { away: false, meddle: (tokens: object) => tokens });
  }
  expect(browser.cookies.has('session')).toBe(false);
});

test('a response is redeemed once, and up to five sign-ins can be in progress', async () => {
  const browser = openBrowser(url);
  const backs: URL[] = [];
  for (let i = 0; i < 6; i += 1)
    backs.push(await roundTrip(browser, `/sign-in?return_to=/${'x'.repeat(596)}${i}`));
  const [first = new URL(url), second = first] = backs;
  const leads = async (back: URL) => (await enter(browser, back)).to;
  expect(await leads(first)).toContain('/authorize?');
  // The repeated request has replaced the second.
  expect(await leads(second)).toContain('/authorize?');
  const [, , , third = first] = backs;
  expect(await leads(third)).toBe(`/${'x'.repeat(596)}3`);
  expect(await leads(third)).toContain('/authorize?');
  for (const line of browser.set) expect(line.length).toBeLessThan(4_096);
});

test('a forged cookie with thousands of sign-ins costs no more than one with five', async () => {
  const handler = createCookieHandler({ ...options, hostedPages });
  const digest = vi.spyOn(crypto.subtle, 'digest');
  const headers = { cookie: `__Host-session-sign-ins=${'/'.repeat(8_000)}` };
  const { status } = await handler(new Request(`${redirectUri}?code=x&state=y`, { headers }));
  expect(status).toBe(303);
  // Three for each, and those of the sign-in that begins.
  expect(digest.mock.calls.length).toBeLessThan(24);
  digest.mockRestore();
});

test('a lost response repeats the sign-in once, without asking the user', async () => {
  const browser = openBrowser(url);
  const back = await roundTrip(browser);
  browser.network.loses = true;
  await expect(enter(browser, back)).rejects.toThrow('the connection broke');
  browser.network.loses = false;
  // The code was already used.
  const { to = '' } = await enter(browser, back);
  const answer = await authorize(Object.fromEntries(new URL(to).searchParams), ada.cookie);
  const second = new URL(redirected(answer).location);
  expect((await enter(browser, second)).to).toBe('/notes');
  expect(await isSignedIn(browser)).toBe(true);
});

test('if the code of the repeated sign-in is invalid too, the page gets the error', async () => {
  const browser = openBrowser(url);
  const back = await roundTrip(browser);
  back.searchParams.set('code', 'x'.repeat(43));
  const { to = '' } = await enter(browser, back);
  const again = new URL(to).searchParams;
  const answer = await authorize(Object.fromEntries(again), ada.cookie);
  const second = new URL(redirected(answer).location);
  second.searchParams.set('code', 'x'.repeat(43));
  expect((await enter(browser, second)).to).toBe('/notes?sign_in_error=invalid_grant');
  expect(await isSignedIn(browser)).toBe(false);
});

test('the sign-out ends the session, and sends the ID token as a hint to the service', async () => {
  const browser = openBrowser(url);
  await enter(browser, await roundTrip(browser));
  const { body } = await browser.post<{ access_token: string }>('/token');
  const { status, to = '' } = await visit(browser, '/sign-out');
  expect(status).toBe(303);
  expect([...browser.cookies.keys()]).toEqual(['session-csrf']);
  const live = await world.call('GET', '/users/me', `Bearer ${body.access_token}`);
  expect(live.status).toBe(401);
  const { given } = redirected({ headers: new Headers({ location: to }) });
  expect(given).toEqual({
    client_id: web.client_id,
    id_token_hint: expect.stringMatching(/^[\w.-]+$/),
    post_logout_redirect_uri: postLogoutRedirectUri,
  });
  // The user is not prompted.
  expect(redirected(await logout(given, ada.cookie)).location).toBe(postLogoutRedirectUri);
  ada.cookie = await scene.keep(await world.session(ada.uid, scene.project));
});

test('another site, a prefetch or an image cannot sign out, or start a sign-in', async () => {
  const browser = openBrowser(url);
  await enter(browser, await roundTrip(browser));
  const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ');
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(`${url}/auth${path}`, { redirect: 'manual', headers: { cookie, ...headers } });
  for (const site of ['cross-site', 'same-site'])
    expect((await ask('/sign-out', { 'sec-fetch-site': site })).status).toBe(403);
  for (const path of ['/sign-in', '/sign-out', '/callback?code=x'])
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
    ]) {
      const refused = await ask(path, headers);
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
    }
  expect(await isSignedIn(browser)).toBe(true);
});

test('a wrong method is a 405, and without hosted pages the sign-in paths are a 404', async () => {
  const allowed = async (path: string) => {
    const answer = await fetch(`${url}/auth${path}`, { method: 'DELETE' });
    return [answer.status, answer.headers.get('allow')];
  };
  expect(await allowed('/sign-in')).toEqual([405, 'GET']);
  expect(await allowed('/sign-out')).toEqual([405, 'GET, POST']);
  expect(await allowed('/token')).toEqual([405, 'POST']);
  const without = createCookieHandler(options);
  for (const path of ['/sign-in', '/callback'])
    expect((await without(new Request(`http://localhost/auth${path}`))).status).toBe(404);
  const signOut = await without(new Request('http://localhost/auth/sign-out'));
  expect([signOut.status, signOut.headers.get('allow')]).toEqual([405, 'POST']);
});

test.each([
  'https://app.example.com/callback',
  'https://app.example.com/auth/callback/',
  'callback',
])(
  'refuses the redirect URI %s, which is not the callback of the handler, at the start',
  (other) => {
    const mistaken = { ...hostedPages, redirectUri: other };
    expect(() => createCookieHandler({ ...options, hostedPages: mistaken })).toThrow(TypeError);
  },
);

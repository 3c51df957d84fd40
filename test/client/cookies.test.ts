import { expect, test, vi } from 'vitest';
import { openBrowser, proofs, startBackend } from '../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { pass } from '../support/started.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const at = await signInProject(world);
const { project_id } = at;

/** The backend's calls to the service, and how they are answered. */
const service = {
  calls: [] as string[],
  down: false,
  maintenance: false,
  agents: new Set<string | null>(),
};
const url = await startBackend({
  url: world.url,
  projectId: project_id,
  async fetch(target, init) {
    service.calls.push(new URL(String(target)).pathname);
    service.agents.add(new Headers(init?.headers).get('user-agent'));
    if (service.down) throw new TypeError('fetch failed');
    if (service.maintenance) return new Response('<h1>Back soon</h1>');
    return fetch(target, init);
  },
});
const people = { count: 0 };
type Token = { access_token: string; uid: string; expires_in: number; user?: { email: string } };

/** A browser in which a new user has signed up. */
async function signedUp() {
  const browser = openBrowser(url);
  const email = `cookie${(people.count += 1)}@example.com`;
  await browser.post('/sign-up', { email });
  const token = await at.mailed(email);
  const { status, body } = await browser.post<Token>('/password', {
    token,
    password: goodPassword,
  });
  expect(status).toBe(201);
  service.calls.length = 0;
  return { ...browser, email, body };
}
const me = (token: string) => world.call('GET', '/users/me', `Bearer ${token}`);
const tokensOf = (cookies: ReadonlyMap<string, string>) => {
  const [refresh_token = '', access_token = ''] = (cookies.get('session') ?? '').split(':');
  return { refresh_token, access_token };
};
/** Moves the clock of backend and service on, past the expiry of the access token. */
function later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  pass(seconds * 1_000);
  return work().finally(() => vi.useRealTimers());
}

test('every sign-in method gives the page an access token and a user, without a refresh token', async () => {
  const browser = await signedUp();
  const { email } = browser;
  const word = await browser.post<Token>('/sign-in/password', { email, password: goodPassword });
  const started = await browser.post('/sign-in/code/start', { email });
  const { challenge_id } = started.body;
  const code = await at.mailed(email);
  const coded = await browser.post<Token>('/sign-in/code', { challenge_id, code });
  const forgotten = await browser.post('/forgotten', { email });
  const token = await at.mailed(email);
  const reset = await browser.post<Token>('/password', { token, password: `${goodPassword}!` });
  expect([started.status, forgotten.status]).toEqual([202, 202]);
  for (const { status, body } of [word, coded, reset]) {
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'uid',
      'user',
      'user_created',
    ]);
    expect(body.user?.email).toBe(email);
    expect(body.expires_in).toBeGreaterThan(590);
  }
  expect((await me(reset.body.access_token)).status).toBe(200);
});

test('a sign-in that is sent again leaves the tokens that have followed it', async () => {
  const browser = await signedUp();
  const { challenge_id } = (await browser.post('/sign-in/code/start', { email: browser.email }))
    .body;
  const code = await at.mailed(browser.email);
  const signIn = () =>
    browser.post<Token>('/sign-in/code', { challenge_id, code }, 'the-key-of-this-sign-in');
  await signIn();
  await later(1_000, () => browser.post('/token'));
  const kept = browser.cookies.get('session');
  // Its own refresh token is used, and its access token expired.
  const { status, body } = await later(1_100, signIn);
  expect([status, browser.cookies.get('session')]).toEqual([201, kept]);
  expect(await later(1_100, () => me(body.access_token))).toMatchObject({ status: 200 });
});

test('a cookie that is many refreshes old, as from a copied browser profile, still works', async () => {
  const browser = await signedUp();
  const old = browser.cookies.get('session') ?? '';
  for (let step = 1; step <= 6; step += 1) await later(step * 660, () => browser.post('/token'));
  browser.cookies.set('session', old);
  const { status, body } = await later(3_970, () => browser.post<Token>('/token'));
  expect(status).toBe(200);
  expect(body.expires_in).toBeGreaterThan(30);
  const live = () => later(3_970, () => me(body.access_token));
  expect((await live()).status).toBe(200);
  browser.cookies.set('session', old);
  const out = await later(3_970, () => browser.post('/sign-out', { everywhere: true }));
  expect([out.status, (await live()).status]).toEqual([204, 401]);
});

test('no refresh token is in a body or header that a script can read', async () => {
  const browser = await signedUp();
  const tokens = [tokensOf(browser.cookies).refresh_token];
  await later(600, () => browser.post('/token', { user: true }));
  tokens.push(tokensOf(browser.cookies).refresh_token);
  await browser.post('/sign-in/password', { email: browser.email, password: goodPassword });
  tokens.push(tokensOf(browser.cookies).refresh_token);
  await browser.post('/sign-in/password', { email: browser.email, password: 'wrong' });
  await browser.post('/sign-out', {});
  expect(new Set(tokens).size).toBe(3);
  for (const token of tokens) expect(token).toMatch(/^rt_/);
  const read = JSON.stringify(browser.seen);
  expect(browser.seen.length).toBeGreaterThan(10);
  for (const token of tokens) expect(read).not.toContain(token);
  // The form of a token: its letters alone may also occur in the signature of another one.
  expect(read).not.toMatch(/rt_[\w-]+\.[\w-]{43}(?![\w-])/);
  expect(read).not.toMatch(/refresh_token|set-cookie/i);
  for (const { headers } of browser.seen)
    expect(new Headers(headers).get('cache-control')).toBe('no-store');
});

test('the cookie is small, HttpOnly, SameSite=Strict and lasts 30 days', async () => {
  const { set, cookies } = await signedUp();
  const line = set.find((each) => each.startsWith('session=')) ?? '';
  expect(line.slice(line.indexOf(';'))).toBe(
    '; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict',
  );
  expect(line.length).toBeLessThan(2_000);
  expect([...cookies.keys()].sort()).toEqual(['session', 'session-csrf', 'session-device']);
  for (const each of set) expect(each).toContain('; HttpOnly; SameSite=Strict');
});

test("the page gets the cookie's token until 30 seconds before its expiry, then a new token and cookie", async () => {
  const browser = await signedUp();
  const before = browser.cookies.get('session');
  const same = await later(560, () => browser.post<Token>('/token'));
  expect(same.body).toMatchObject({ access_token: browser.body.access_token });
  expect(service.calls).toEqual([]);
  const next = await later(575, () => browser.post<Token>('/token'));
  expect(next.body.access_token).not.toBe(browser.body.access_token);
  expect(next.body).toMatchObject({ uid: browser.body.uid, user: { email: browser.email } });
  expect(browser.cookies.get('session')).not.toBe(before);
  expect(service.calls).toEqual(['/sessions/token/refresh']);
});

test('a reloaded page gets the signed-in user', async () => {
  const browser = await signedUp();
  const { body } = await browser.post<Token>('/token', { user: true });
  expect(body).toMatchObject({ uid: browser.body.uid, user: { email: browser.email } });
  expect(Object.keys(body)).toEqual(['access_token', 'uid', 'expires_in', 'user']);
  expect(service.calls).toEqual(['/users/me']);
});

test.each([70, 3_600, 23 * 3_600])(
  'a new cookie that was lost in transit is issued again after %i seconds',
  async (seconds) => {
    const browser = await signedUp();
    browser.network.loses = true;
    const old = browser.cookies.get('session');
    await expect(later(600, () => lossy(browser))).rejects.toThrow('broke');
    expect(browser.cookies.get('session')).toBe(old);
    browser.network.loses = false;
    const { status, body } = await later(600 + seconds, () => browser.post<Token>('/token'));
    expect(status).toBe(200);
    const { access_token } = body;
    expect(await later(600 + seconds, () => me(access_token))).toMatchObject({ status: 200 });
    // The service did not treat anything as theft.
    await world.drainStream();
    expect(world.events().filter(({ type }) => type === 'session.reuse_detected')).toEqual([]);
  },
);

/** A refresh whose response is lost. */
async function lossy({ cookies, browse }: ReturnType<typeof openBrowser>) {
  const headers = proofs(cookies.get('session-csrf') ?? '');
  return browse('/auth/token', {
    method: 'POST',
    headers,
    body: '{}',
  });
}

test('concurrent requests that refresh the same cookie all succeed', async () => {
  const browser = await signedUp();
  await later(600, async () => {
    const all = await Promise.all([1, 2, 3].map(() => browser.post<Token>('/token')));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
  const last = await later(1_200, () => browser.post('/token'));
  expect(last.status).toBe(200);
});

test('signing out ends the cookie, the session and both tokens', async () => {
  const browser = await signedUp();
  const stolen = tokensOf(browser.cookies);
  expect((await me(stolen.access_token)).status).toBe(200);
  const { status } = await browser.post('/sign-out');
  expect([status, browser.cookies.has('session')]).toEqual([204, false]);
  expect((await me(stolen.access_token)).status).toBe(401);
  const refreshed = await world.call({
    method: 'POST',
    path: '/sessions/token/refresh',
    auth: `Bearer ${stolen.refresh_token}`,
    body: { accessToken: stolen.access_token },
  });
  expect(refreshed.status).toBe(401);
  expect((await browser.post('/token')).status).toBe(401);
});

test('signing out works with an expired access token, and for all sessions', async () => {
  const browser = await signedUp();
  const elsewhere = await at.signIn(browser.email);
  expect((await me(elsewhere.access_token)).status).toBe(200);
  const out = await later(700, () => browser.post('/sign-out', { everywhere: true }));
  expect(out.status).toBe(204);
  expect((await me(elsewhere.access_token)).status).toBe(401);
  // Without a session, nobody's sessions can be ended.
  expect((await browser.post('/sign-out', { everywhere: true })).status).toBe(401);
  expect((await browser.post('/sign-out')).status).toBe(204);
});

test('signing out while the service is down ends the cookie, and reports that the session may be live', async () => {
  const browser = await signedUp();
  const { access_token } = tokensOf(browser.cookies);
  service.down = true;
  const { status, body } = await browser.post('/sign-out').finally(() => (service.down = false));
  expect([status, body['code']]).toEqual([503, 'temporarily_unavailable']);
  expect(body['detail']).toContain('may still be live at the service');
  expect(browser.cookies.has('session')).toBe(false);
  expect((await me(access_token)).status).toBe(200);
});

test('the cookie stays while the service is down, and ends once the session has ended', async () => {
  const browser = await signedUp();
  service.down = true;
  const down = await later(600, () => browser.post('/token')).finally(() => (service.down = false));
  expect([down.status, browser.cookies.has('session')]).toEqual([503, true]);
  const { access_token } = tokensOf(browser.cookies);
  await world.call('DELETE', '/sessions/current', `Bearer ${access_token}`);
  const ended = await later(600, () => browser.post('/token'));
  expect([ended.status, browser.cookies.has('session')]).toEqual([401, false]);
});

test('a 200 with a page of a proxy does not replace the session', async () => {
  const browser = await signedUp();
  const before = browser.cookies.get('session');
  service.maintenance = true;
  const token = () => later(600, () => browser.post('/token'));
  const { status } = await token().finally(() => (service.maintenance = false));
  expect(status).toBeGreaterThanOrEqual(500);
  expect(browser.cookies.get('session')).toBe(before);
  expect((await token()).status).toBe(200);
});

test('a second sign-in ends the previous session', async () => {
  const browser = await signedUp();
  const { access_token } = tokensOf(browser.cookies);
  await browser.post('/sign-in/password', { email: browser.email, password: goodPassword });
  expect((await me(access_token)).status).toBe(401);
  // A failed sign-in changes nothing.
  const before = browser.cookies.get('session');
  const wrong = await browser.post('/sign-in/password', { email: browser.email, password: 'no' });
  expect([wrong.status, wrong.body['code']]).toEqual([401, 'invalid_credentials']);
  expect(browser.cookies.get('session')).toBe(before);
});

test('errors of the service keep their status, code, fields and Retry-After', async () => {
  const browser = await signedUp();
  const invalid = await browser.post('/sign-in/password', { email: 'nobody', extra: 1 });
  expect([invalid.status, invalid.body['code']]).toEqual([400, 'invalid_request']);
  expect(JSON.stringify(invalid.body['errors'])).toContain('/body/email');
  expect(invalid.response.headers.get('content-type')).toBe('application/problem+json');
  const email = 'often@example.com';
  // Three mails are sent per ten minutes, and the next ten minutes may begin meanwhile.
  let last = await browser.post('/forgotten', { email });
  for (let i = 0; i < 6 && last.status === 202; i += 1)
    last = await browser.post('/forgotten', { email });
  expect([last.status, last.body['code']]).toEqual([429, 'too_many_requests']);
  expect(last.response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
});

test("the service gets the browser's user agent, and always the project of the backend", async () => {
  const browser = await signedUp();
  service.agents.clear();
  const other = await world.newProject({ password_sign_in: true });
  const { body } = await browser.post<Token>('/sign-in/password', {
    project_id: other.project_id,
    email: browser.email,
    password: goodPassword,
  });
  expect(body.user?.email).toBe(browser.email);
  expect([...service.agents]).toEqual(['node']);
});

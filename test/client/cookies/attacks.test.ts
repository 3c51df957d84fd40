import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCookieHandler, readAccessToken } from '../../../client/cookies.ts';
import {
  csrfCookie,
  openBrowser,
  pageRequest,
  proofs,
  startBackend,
} from '../../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/**
 * Attacks on the cookie handler by pages and forms of other origins, which fail without a request to the service; and
 * by cookies that a subdomain or a network attacker has planted in the browser.
 */

const world = await startWorld();
const at = await signInProject(world);
const { project_id } = at;
let calls = 0;
const counted: typeof fetch = (...call) => {
  calls += 1;
  return fetch(...call);
};
const options = { url: world.url, projectId: project_id, fetch: counted };
const url = await startBackend(options);
const email = 'victim@example.com';
const victim = await at.signUp(email);
const mine = `${victim.refresh_token}:${victim.access_token}`;

/** A browser in which the victim is signed in, also after each attack. */
const { post, cookies } = openBrowser(url);
await post('/sign-in/password', { email, password: goodPassword });
beforeEach(() => {
  calls = 0;
});
const expectSignedIn = async () => expect((await send('/auth/token', honest())).status).toBe(200);
afterEach(expectSignedIn);

/** Headers of a legitimate request of this browser. */
const honest = (): Record<string, string> => ({
  origin: url,
  'sec-fetch-site': 'same-origin',
  ...proofs(cookies.get('session-csrf') ?? ''),
  ...cookies.header,
});

/** Sends exactly these headers: `fetch` would add its own. */
async function send(
  path: string,
  headers: Record<string, string | undefined>,
  { method = 'POST', body = '{}' }: { method?: string; body?: string } = {},
) {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  const asking = httpRequest(`${url}${path}`, {
    method,
    headers: Object.fromEntries(present),
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  asking.on('response', resolve).on('error', reject).end(body);
  const answered = await promise;
  const read = await text(answered);
  return {
    status: answered.statusCode,
    headers: answered.headers,
    body: (read.startsWith('{') ? JSON.parse(read) : {}) as Record<string, unknown>,
  };
}

describe('refuses, without calling the service, a request that a page of the origin cannot have sent', () => {
  test.each<[string, number, Record<string, string | undefined>]>([
    ['of another site', 403, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['of another site that hides its name', 403, { 'sec-fetch-site': 'cross-site' }],
    ['of a subdomain', 403, { 'sec-fetch-site': 'same-site' }],
    ['that the user typed as an address', 403, { 'sec-fetch-site': 'none' }],
    ['of an unknown kind', 403, { 'sec-fetch-site': 'Same-Origin' }],
    [
      'of an old browser at another site',
      403,
      { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    ],
    ['of an old browser without Origin', 403, { 'sec-fetch-site': undefined, origin: undefined }],
    ['of a sandboxed frame', 403, { 'sec-fetch-site': undefined, origin: 'null' }],
    ['of an origin that begins with ours', 403, { origin: `${url}.evil.example` }],
    ['of another port', 403, { origin: 'http://127.0.0.1:1' }],
    ['of a form', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['of a form that looks like JSON', 415, { 'content-type': 'text/plain' }],
    ['of a form that names JSON', 415, { 'content-type': 'text/plain; x=application/json' }],
    ['without a type', 415, { 'content-type': undefined }],
    ['without the header that causes a preflight', 403, { 'x-csrf': undefined }],
    ['without the token', 403, { 'x-csrf-token': undefined }],
    ['with the token of another user', 403, { 'x-csrf-token': 'a'.repeat(43) }],
    ['with two tokens', 403, { 'x-csrf-token': `${'a'.repeat(43)}, ${'a'.repeat(43)}` }],
    ['without the cookie of the token', 403, { cookie: undefined }],
    ['with an empty token and cookie', 403, { cookie: 'session-csrf=', 'x-csrf-token': '' }],
  ])('%s', async (_, status, changed) => {
    for (const path of ['/auth/sign-out', '/auth/token', '/auth/sign-in/password']) {
      const answer = await send(path, { ...honest(), ...changed });
      expect(answer.status).toBe(status);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(calls).toBe(0);
  });

  test('accepts a request of the origin without Origin, or without Sec-Fetch-Site', async () => {
    const headers = honest();
    const one = await send('/auth/token', { ...headers, origin: undefined });
    const other = await send('/auth/token', { ...headers, 'sec-fetch-site': undefined });
    expect([one.status, other.status]).toEqual([200, 200]);
  });
});

test('login CSRF: a page of another origin cannot sign the user in as the attacker', async () => {
  const body = JSON.stringify({ email, password: goodPassword });
  // The attacker has a token and a cookie of their own, which the victim's browser does not send.
  const attacker = openBrowser(url);
  await attacker.post('/token');
  const sent = proofs(attacker.cookies.get('session-csrf') ?? '');
  calls = 0;
  for (const from of [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
  ]) {
    const answer = await send('/auth/sign-in/password', { ...sent, ...from }, { body });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
  }
  expect(calls).toBe(0);
});

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
  '405 for %s, without any change',
  async (method) => {
    const headers = honest();
    for (const path of ['/auth/sign-out', '/auth/token', '/auth/sign-in/password']) {
      const answer = await send(path, headers, { method, body: '' });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(Object.keys(answer.headers).join()).not.toContain('access-control');
    }
    expect(calls).toBe(0);
  },
);

test('the CSRF token is not sent to other sites, and stays the same while the browser has it', async () => {
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const refused = await send('/auth/csrf', foreign, { method: 'GET', body: '' });
  expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
  const first = await send('/auth/csrf', {}, { method: 'GET', body: '' });
  const token = String(first.body['csrf_token']);
  expect(token).toMatch(/^[\w-]{43}$/);
  const cookie = `session-csrf=${token}`;
  const again = await send('/auth/csrf', { cookie }, { method: 'GET', body: '' });
  expect([again.body, again.headers['set-cookie']]).toEqual([{ csrf_token: token }, undefined]);
});

test.each([
  '/auth/nothing',
  '/auth',
  '/auth/',
  '/auth/token/',
  '/auth/constructor',
  '/authtoken',
  '/auth//token',
  '/auth/%74oken',
  '/other/../auth/../x',
  '/auth/token;x',
])('404 for %s', async (path) => {
  const answer = await send(path, honest());
  expect([answer.status, answer.body['code'], calls]).toEqual([404, 'not_found', 0]);
});

test('no response redirects to an address in the request', async () => {
  const query = '?redirect=https://evil.example&next=//evil.example';
  const body = JSON.stringify({ redirect_uri: 'https://evil.example' });
  for (const path of ['/auth/token', '/auth/sign-out', '/auth//evil.example']) {
    const { status, headers } = await send(path + query, honest(), { body });
    expect(status).not.toBe(302);
    expect(headers.location).toBeUndefined();
  }
});

test('refuses a body that is too long, or not a JSON object, without calling the service', async () => {
  const headers = honest();
  const statusOf = async (body: string) =>
    (await send('/auth/sign-in/password', headers, { body })).status;
  expect(await statusOf(JSON.stringify({ email: 'x'.repeat(70_000) }))).toBe(413);
  for (const body of ['{', '[]', 'null', '"text"', '1']) expect(await statusOf(body)).toBe(400);
  expect(calls).toBe(0);
});

test('a body that says that it is too long is not read, nor cancelled', async () => {
  const handler = createCookieHandler({ ...options, secure: false });
  const touched = vi.fn<(name: string) => void>();
  const body = new ReadableStream(
    {
      pull(controller) {
        touched('read');
        controller.enqueue(new Uint8Array(65_537));
      },
      cancel: () => touched('cancelled'),
    },
    { highWaterMark: 0 },
  );
  const headers = { ...honest(), 'content-length': '65537' };
  const request = new Request(`${url}/auth/token`, {
    ...{ method: 'POST', headers, body, duplex: 'half' },
  });
  expect((await handler(request)).status).toBe(413);
  expect(touched).not.toHaveBeenCalled();
});

test('reads an endless body only up to the limit', async () => {
  const handler = createCookieHandler({ ...options, secure: false });
  let read = 0;
  let cancelled = false;
  const endless = new ReadableStream({
    pull(controller) {
      read += 1_024;
      controller.enqueue(new Uint8Array(1_024));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const headers = honest();
  const request = new Request(`${url}/auth/token`, {
    ...{ method: 'POST', headers, body: endless, duplex: 'half' },
  });
  expect((await handler(request)).status).toBe(413);
  expect(read).toBeLessThan(80_000);
  expect(cancelled).toBe(true);
});

test.each([
  { path: 'auth' },
  { cookieName: '__Host-x' },
  { cookieName: 'a; Domain=evil.example' },
  { cookieName: '' },
  { allowedOrigins: ['*'] },
  { allowedOrigins: ['https://app.example.com/'] },
  { allowedOrigins: ['null'] },
])('refuses the options %o at the start', (wrong) => {
  expect(() => createCookieHandler({ ...options, ...wrong })).toThrow(TypeError);
});

test('behind a proxy that ends TLS, only the origins in allowedOrigins are accepted', async () => {
  const statusWith = async (allowedOrigins: string[]) => {
    const handler = createCookieHandler({ ...options, allowedOrigins });
    const response = await handler(
      pageRequest('/auth/token', {
        at: 'http://internal:8080',
        headers: {
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json; charset=utf-8',
          cookie: `${csrfCookie}; __Host-session=${mine}`,
        },
      }),
    );
    return response.status;
  };
  expect(await statusWith([])).toBe(403);
  expect(await statusWith(['https://app.example.com'])).toBe(200);
});

describe('a cookie planted by an attacker', () => {
  const handler = createCookieHandler({ ...options, secure: true });
  async function ask(cookie: string) {
    const response = await handler(pageRequest('/auth/token', { headers: { cookie } }));
    const { code } = (await response.json()) as { code?: string };
    return { status: response.status, code, response };
  }

  test('does not replace the cookie with the prefix __Host-, which is accepted', async () => {
    expect((await ask(`${csrfCookie}; __Host-session=${mine}`)).status).toBe(200);
    expect((await ask(`a=b;${csrfCookie} ;\t__Host-session=${mine} ; c`)).status).toBe(200);
  });

  test.each([
    ['without the prefix', `session=${mine}`],
    ['with a prefix that browsers do not guard', `__host-session=${mine}`],
    ['after a no-break space, which trim() would remove', `\u00a0__Host-session=${mine}`],
    ['after a line separator', `\u0085__Host-session=${mine}`],
    ['in quotes', `__Host-session="${mine}"`],
    ['beside the real one', `__Host-session=${mine}; __Host-session=${mine}`],
    ['in an old form', `$Version=1,__Host-session=${mine}`],
  ])('%s is not accepted as a session', async (_, cookie) => {
    calls = 0;
    expect(await ask(`${csrfCookie}; ${cookie}`)).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(calls).toBe(0);
  });

  test('with thousands of spaces is parsed quickly', () => {
    const began = performance.now();
    const cookie = `a${' '.repeat(16_000)}b=1; __Host-session=${mine}`;
    expect(readAccessToken({ headers: { cookie } })).toBe(victim.access_token);
    expect(performance.now() - began).toBeLessThan(100);
  });

  test.each([
    ['without the prefix', csrfCookie.replace('__Host-', '')],
    ['beside the real one', `${csrfCookie}; __Host-session-csrf=${'d'.repeat(43)}`],
  ])('%s is not accepted as a CSRF cookie', async (_, cookie) => {
    expect((await ask(`${cookie}; __Host-session=${mine}`)).status).toBe(403);
  });

  test('cannot inject text into another header', async () => {
    for (const value of [
      'a b:c',
      'rt_x%0d%0aset-cookie: a=b:x.y.z',
      `${victim.refresh_token}:a,b`,
      `${victim.refresh_token}, Basic x:${victim.access_token}`,
      `${'r'.repeat(1_001)}:a`,
      ':',
    ]) {
      calls = 0;
      const { status, response } = await ask(`${csrfCookie}; __Host-session=${value}`);
      expect([status, calls]).toEqual([401, 0]);
      expect(response.headers.getSetCookie()).toEqual([
        '__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
      ]);
    }
    // These only look like tokens, and the service refuses them.
    const { status } = await ask(`${csrfCookie}; __Host-session=x:y`);
    expect(status).toBe(401);
  });
});

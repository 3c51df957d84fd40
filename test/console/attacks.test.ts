/** @module-tag alone */
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';
import { startStage } from './stage.ts';

/** Attacks by another page in the operator's browser, another program on the machine and another machine. */
const world = await startWorld();
const stage = await startStage(world);
afterAll(() => stage.close());
const { origin, ofPage } = stage;
const port = Number(new URL(origin).port);
const own = await stage.entered();
const { project_id } = world.project;
const users = `/projects/${project_id}/users`;

/** Sends a request with exactly this host, path and headers. */
async function raw(path: string, headers: Record<string, string>, method = 'GET', body = '') {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
    const status = response.statusCode ?? 0;
    void text(response).then((read) => resolve({ status, body: read }), reject);
  })
    .once('error', reject)
    .end(body);
  return promise;
}

test('the console listens on loopback only', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of others) {
    const outcome = await new Promise<string>((resolve) => {
      const socket = connect({ host: address, port });
      socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'));
      socket.setTimeout(2_000, () => resolve('refused'));
    });
    expect(outcome).toBe('refused');
  }
  expect((await stage.ask('/')).status).toBe(200);
});

describe('DNS rebinding', () => {
  test.each([
    'evil.example',
    `evil.example:${port}`,
    `localhost:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port}.evil.example`,
  ])('421 for the host %s, with and without the cookie', async (host) => {
    for (const path of ['/', '/assets/main.js', '/session', `${own.api}/target`]) {
      const answer = await raw(path, { ...ofPage, host, cookie: own.cookie });
      expect(answer.status).toBe(421);
      expect(answer.body).not.toContain('<html');
    }
  });
});

describe('another page in the same browser', () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { origin: `http://localhost:${port}` },
    { origin: `${origin}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ];

  test.each(foreign)('403 for a request with %j, even with the cookie', async (headers) => {
    const before = stage.operated.length;
    expect((await own.call('/target', { headers })).status).toBe(403);
    const operator = { method: 'POST', body: '{"action":"list"}', headers };
    expect((await own.call('/operator', operator)).status).toBe(403);
    expect((await own.call(users, { method: 'POST', body: '{}', headers })).status).toBe(403);
    expect((await stage.enter(stage.token, { ...ofPage, ...headers })).status).toBe(403);
    expect(stage.operated).toHaveLength(before);
  });

  test('refuses a change without an Origin, which every browser sends', async () => {
    const { origin: _, ...headers } = ofPage;
    const sent = { ...headers, host: new URL(origin).host, cookie: own.cookie };
    const answer = await raw(`${own.api}/operator`, sent, 'POST', '{"action":"list"}');
    expect(answer.status).toBe(403);
  });

  test('no response allows other origins, framing, caching or a referrer', async () => {
    const answers = [
      await stage.ask('/'),
      await own.call('/target'),
      await own.call('/missing'),
      await own.call('/target', { method: 'OPTIONS' }),
      await stage.enter(),
    ];
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('the token', () => {
  test('is exchanged for a cookie that is HttpOnly, SameSite=Strict, and limited to the path of the API', async () => {
    const answer = await stage.enter();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^console=[\w-]{43}; Path=\/api\/[\w-]{43}; HttpOnly; SameSite=Strict$/,
    );
    const body = await answer.text();
    expect(body).not.toContain(own.cookie.split('=')[1]);
    expect(body).not.toContain(stage.token);
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['another one', 'A'.repeat(43)],
    ['a longer one', `${stage.token}A`],
    ['a shorter one', stage.token.slice(0, -1)],
    ['a list', [stage.token]],
  ])('%s: no cookie is set', async (_, given) => {
    const answer = await stage.enter(given ?? null);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await answer.text()).not.toContain('/api/');
  });

  test('is not accepted as a cookie, in a path or in a query', async () => {
    const cookie = `console=${stage.token}`;
    expect((await own.call('/target', { headers: { cookie } })).status).toBe(401);
    expect(
      (await own.call(`/target?token=${stage.token}`, { headers: { cookie: '' } })).status,
    ).toBe(401);
    expect((await stage.ask(`/api/${stage.token}/target`, { headers: ofPage })).status).toBe(401);
  });

  test.each(['', 'console=', 'console=AAAA', `other=${own.cookie.split('=')[1]}`])(
    '401 for the cookie %j',
    async (cookie) => {
      for (const path of ['/target', '/mails', users, `/newest/${project_id}`])
        expect((await own.call(path, { headers: { cookie } })).status).toBe(401);
      const list = { method: 'POST', body: '{"action":"list"}', headers: { cookie } };
      expect((await own.call('/operator', list)).status).toBe(401);
    },
  );

  test('401 for the cookie without the secret path of this run', async () => {
    const headers = { ...ofPage, cookie: own.cookie };
    // 401, not 404: a tab that was open before a restart of the console must be able to show what to do.
    for (const path of ['/api/target', `/api/${'A'.repeat(43)}/target`, '/api//target']) {
      const answer = await stage.ask(path, { headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({
        detail: 'Open the address that the terminal shows.',
      });
    }
  });
});

describe('the proxy', () => {
  const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06';

  test.each([
    ['GET', '/users/me'],
    ['GET', `/users/${uid}`],
    ['PUT', '/users/me/password'],
    ['POST', '/sessions/token/refresh'],
    ['DELETE', '/sessions/current'],
    ['POST', '/sessions/introspect'],
    ['POST', '/users/search/../../users'],
    ['GET', '/../users'],
    ['GET', '/./users'],
    ['GET', '//users'],
    ['GET', '/users/'],
    ['GET', '/users%2f..%2fstats'],
    ['GET', '/users%00'],
    ['GET', '/%75sers'],
    ['GET', '/users\\..\\stats'],
    ['DELETE', '/users/..'],
    ['DELETE', `/users/${uid}%2fsessions`],
    ['DELETE', `/users/${uid};a=b`],
    ['DELETE', '/permissions/invoice%3aread'],
    ['DELETE', '/permissions/invoice%3Aread%2f..'],
    ['DELETE', '/permissions/invoice%3A..'],
    ['PUT', '/roles/invoice%3Aread'],
    ['POST', `/workspaces/wid-${uid}/api_keys`],
    ['GET', '/users/me/api_keys'],
    ['GET', '/workspaces/wid-1/users'],
    ['GET', '/_local/credential'],
    ['GET', '/_local/mail.json'],
    ['GET', '/openapi.json'],
    ['POST', '/token'],
    ['TRACE', '/users'],
    ['POST', 'http://127.0.0.1/users'],
    ['GET', '@evil.example/users'],
  ])('404 for %s %s, without a call to the service', async (method, path) => {
    const before = stage.operated.length;
    const host = new URL(origin).host;
    const target = `${own.api}/projects/${project_id}${path}`;
    const answer = await raw(target, { ...ofPage, host, cookie: own.cookie }, method);
    expect(answer.status).toBe(404);
    // The console itself rejects it: it has not even created a secret.
    expect(JSON.parse(answer.body)).toMatchObject({ detail: 'There is nothing here.' });
    expect(stage.operated).toHaveLength(before);
  });

  test.each(['..', '.', '', '%2e%2e', 'A', 'a/b', 'x'.repeat(64), 'missing'])(
    'refuses the project %j, which the operator function does not know',
    async (project) => {
      const answer = await own.call(`/projects/${project}/stats`);
      expect(answer.status).toBeGreaterThanOrEqual(404);
    },
  );

  test('refuses to start a session without an actor', async () => {
    for (const body of [{ uid }, { uid, actor: null }, { uid, actor: 'ada' }, [], null]) {
      const answer = await own.post(`/projects/${project_id}/sessions`, body as object);
      expect(answer.status).toBe(403);
    }
  });

  test("does not forward the page's Authorization header to the service", async () => {
    const headers = { authorization: world.basic({ ...world.project, secret: 'x' }) };
    expect((await own.call(users, { headers })).status).toBe(200);
  });

  test('refuses a body that is too large', async () => {
    const answer = await own
      .call(users, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })
      // The connection may also be closed while it is sent.
      .catch(() => ({ status: 413 }));
    expect(answer.status).toBe(413);
  });
});

describe('the operator function', () => {
  test.each([
    'rotate-key',
    'create-secret',
    'create-client',
    'create-client-secret',
    'revoke-client-secret',
    'delete-client',
  ])('refuses the action %s from a page', async (action) => {
    const before = stage.operated.length;
    const body = {
      'create-client': { client: 'a', client_name: 'A', redirect_uris: ['https://a.example'] },
      'create-client-secret': { client: 'a' },
      'revoke-client-secret': { client: 'a', secret_id: '0a1b2c3d' },
      'delete-client': { client: 'a' },
    }[action];
    const answer = await own.post('/operator', { action, project_id, ...body });
    expect(answer.status).toBe(403);
    expect(stage.operated).toHaveLength(before);
  });

  test.each(['', 'null', '[]', '{"action":"drop"}', '{"action":"list","more":1}'])(
    'refuses the body %s',
    async (body) => {
      const answer = await own.call('/operator', { method: 'POST', body });
      expect(answer.status).toBe(400);
    },
  );
});

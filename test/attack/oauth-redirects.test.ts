import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../support/call.ts';
import { expectProblem, onlyAt } from '../support/expectations.ts';
import { callback, oauthScene, redirected } from '../support/oauth.ts';
import { startWorld } from '../support/world.ts';

/** Attacks on redirect targets and parameters (RFC 9700, sections 4.11, 4.4 and 4.7). */

const world = await startWorld();
const scene = await oauthScene(world);
const { project_id, web, native, authorize, request, logout } = scene;
const ada = await scene.visitor();
const pages = `${world.url}/pages/${project_id}`;

/** URIs that a lax comparison accepts as a registered https URI. */
const lookalikes = [
  `${callback}.evil.example`,
  `${callback}/../../evil`,
  `${callback}/`,
  `${callback}?x=1`,
  `${callback}#x`,
  `${callback}%00`,
  `${callback}%2e%2e`,
  `${callback};x`,
  ` ${callback}`,
  `${callback} `,
  callback.slice(0, -1),
  callback.replace('https:', 'http:'),
  callback.replace('https:', 'HTTPS:'),
  callback.replace('app', 'APP'),
  callback.replace('callback', 'Callback'),
  callback.replace('app.example.com', 'app.example.com:443'),
  callback.replace('app.example.com', 'app.example.com:8443'),
  callback.replace('app.example.com', 'app.example.com.evil.example'),
  callback.replace('app.example.com', 'app.example.com@evil.example'),
  callback.replace('app.example.com', 'evil.example#app.example.com'),
  callback.replace('app.example.com', String.raw`evil.example\app.example.com`),
  callback.replace('app.example.com', 'xapp.example.com'),
  callback.replace('https://', 'https:////evil.example/'),
  callback.replace('/callback', '//callback'),
  callback.replace('/callback', '/./callback'),
  callback.replace('/callback', '/x/../callback'),
  callback.replace('/callback', '/%63allback'),
  '//app.example.com/callback',
  '/callback',
  'javascript:alert(1)',
  'data:text/html,x',
];
/** URIs that a lax comparison accepts as a registered loopback URI, of which only the port may differ. */
const notLoopback = [
  'http://127.0.0.1:80@evil.example/done',
  'http://127.0.0.1@evil.example/done',
  'http://127.0.0.1.evil.example/done',
  'http://127.0.0.1:x/done',
  'http://127.0.0.1:/done',
  'http://127.0.0.1:080/done',
  'http://127.0.0.1:99999/done',
  'http://127.0.0.1:1:2/done',
  'http://127.0.0.1:1/done/x',
  'http://127.0.0.1:1/Done',
  'http://127.0.0.1:1/done?x',
  'http://127.0.0.1:1/done#x',
  'http://127.0.0.2:1/done',
  'http://127.1:1/done',
  'http://2130706433:1/done',
  'http://localhost:1/done',
  'https://127.0.0.1:1/done',
  'http://[::2]:1/done',
  'http://[::1]:1@evil.example/done',
  'http://[::ffff:127.0.0.1]:1/done',
];

describe('an open redirect: the service redirects only to a registered address', () => {
  test.each([
    ...lookalikes.map((uri) => [uri, web] as const),
    ...notLoopback.map((uri) => [uri, native] as const),
    ['http://127.0.0.1:1/done', web] as const,
  ])('%j', async (redirect_uri, client) => {
    for (const more of [{}, { response_type: 'token' }, { prompt: 'none' }])
      for (const cookie of [ada.cookie, undefined]) {
        const answer = await authorize(request(client, { redirect_uri, ...more }).fields, cookie);
        expectProblem(answer, 'invalid_request', onlyAt('/query/redirect_uri'));
        expect(answer.headers.has('location')).toBe(false);
      }
  });

  test.each([...lookalikes, 'https://app.example.com/bye/', 'https://evil.example/'])(
    'after a sign-out: %j',
    async (post_logout_redirect_uri) => {
      const fields = { client_id: web.client_id, post_logout_redirect_uri };
      expect(redirected(await logout(fields)).location).toBe(`${pages}/signed-out`);
    },
  );

  test('an invalid client id that would change the address of the pages gets 400', async () => {
    for (const client_id of ['../evil.web', '//evil.example.web', `${project_id}/x.web`, '.web'])
      expectProblem(
        await authorize({ ...request().fields, client_id }),
        'invalid_request',
        onlyAt('/query/client_id'),
      );
  });
});

describe('response splitting and parameter injection', () => {
  const states = [
    '\r\nset-cookie: a=b',
    'x&code=evil',
    'x#y',
    '%0d%0aa: b',
    'a+b c',
    '"<>\\^`{|}',
    'ä€😀',
  ];

  test.each(states)(
    'state %j comes back unchanged, and adds no header or parameter',
    async (state) => {
      for (const more of [{}, { response_type: 'token' }]) {
        const answer = await authorize(request(web, { state, ...more }).fields, ada.cookie);
        expect(redirected(answer).given['state']).toBe(state);
        expect(redirected(answer).location).not.toMatch(/[\r\n #]/);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      const fields = request(web, { state }).fields;
      const { given, location } = redirected(await authorize(fields));
      expect([given['state'], location.startsWith(`${pages}/sign-in?`)]).toEqual([state, true]);
    },
  );

  test('a state with bytes that are not UTF-8 gets 400', async () => {
    const { hostname, port } = new URL(world.url);
    const query = new URLSearchParams(request().fields as Record<string, string>).toString();
    const socket = connect(Number(port), hostname);
    socket.end(
      `GET /authorize?${query.replace(/state=[^&]*/, 'state=%ff%fe')} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`,
    );
    expect((await text(socket)).split(' ')[1]).toBe('400');
  });
});

test('mix-up: every response to the client, success or error, names the issuer', async () => {
  const issuers: unknown[] = [];
  for (const more of [{}, { prompt: 'none' }, { scope: '"' }, { request: 'x' }, { max_age: 'x' }])
    for (const cookie of [ada.cookie, undefined]) {
      const { to, given } = redirected(await authorize(request(web, more).fields, cookie));
      if (to === callback) issuers.push(given['iss']);
    }
  expect(issuers).toEqual(Array.from({ length: 9 }, () => world.url));
});

describe('a redirect address that API Gateway would cut off', () => {
  const [half, whole] = ['€'.repeat(455), '€'.repeat(2_048)];
  const slashes = '/'.repeat(2_048);
  const signOut = (more: string) =>
    world.call({
      ...{ method: 'GET', path: `/logout?client_id=${web.client_id}&${more}` },
      headers: { cookie: ada.cookie },
    });
  const tooLong = { detail: expect.stringMatching(/^The parameters are too long: /) };

  test.each<[how: string, ask: () => Promise<Answer>]>([
    [
      'the page to sign in',
      () => authorize(request(web, { state: half, login_hint: '€'.repeat(500) }).fields),
    ],
    ['a form', () => scene.form('/authorize', request(web, { state: whole }).fields)],
    // A query may contain an unencoded slash.
    ['the page to sign out', () => signOut(`state=${slashes}&id_token_hint=${slashes}`)],
    ['a form to sign out', () => scene.form('/logout', { state: whole })],
  ])('gets 400 with the reason: %s', async (_, ask) => {
    const answer = await ask();
    expectProblem(answer, 'invalid_request', tooLong);
    expect(answer.headers.has('location')).toBe(false);
  });

  test('a long address within the limit is used', async () => {
    const { fields } = request(web, { state: half });
    const { location, given } = redirected(await authorize(fields));
    expect([given['state'], location.length < 8_192]).toEqual([half, true]);
    expect(redirected(await authorize(fields, ada.cookie)).given['state']).toBe(half);
  });
});

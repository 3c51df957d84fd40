import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectProblem, onlyAt } from '../../support/expectations.ts';
import { callback, oauthScene, redirected } from '../../support/oauth.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { pass, sessionIdOf } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const scene = await oauthScene(world);
const { project_id, web, native, authorize, request } = scene;
const ada = await scene.visitor();
const gone = await scene.visitor();
await world.as(gone).sessions.signOut();
const pages = `${world.url}/pages/${project_id}`;
test('302 to the client with a code, its state and the issuer, without caching or a referrer', async () => {
  const answer = await authorize(request().fields, ada.cookie);
  expect([answer.status, answer.body]).toEqual([302, 'See the Location header.']);
  expect(redirected(answer)).toEqual({
    location: expect.stringMatching(/^https:\/\/app\.example\.com\/callback\?code=/),
    to: callback,
    given: { code: expect.stringMatching(/^[\w-]{43}$/), state: 'st ate&1', iss: world.url },
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test('the code is stored as a digest with its request and session, for a minute', async () => {
  const { fields } = request(web, { nonce: 'n1' });
  const { given } = redirected(await authorize(fields, ada.cookie));
  const item = await world.table.get(keys.authorizationCode(given['code'] ?? ''));
  expect(item).toMatchObject({
    ...{ project_id, client_id: web.client_id, redirect_uri: callback, nonce: 'n1' },
    ...{ scope: 'openid email profile', code_challenge: fields['code_challenge'], uid: ada.uid },
    browser_session_id: sessionIdOf(ada),
  });
  const created = Math.floor(Date.parse(String(item?.['created_at'])) / 1_000);
  expect(item?.['expires_at']).toBe(created + 60);
  expect(JSON.stringify(item)).not.toContain(given['code']);
});

test('the parameters of a registered URI come before those of the response', async () => {
  const { fields } = request(web, { redirect_uri: 'https://app.example.com/other?a=b' });
  const { location } = redirected(await authorize(fields, ada.cookie));
  expect(location).toMatch(/^https:\/\/app\.example\.com\/other\?a=b&code=/);
});

test.each(['http://127.0.0.1:51004/done', 'http://[::1]:1/done', 'http://127.0.0.1/done'])(
  '%s matches the registered loopback URI, whatever the port',
  async (redirect_uri) => {
    const answer = await authorize(request(native, { redirect_uri }).fields, ada.cookie);
    expect(redirected(answer).to).toBe(redirect_uri);
  },
);

describe.each([
  'http://127.0.0.1:51004/done',
  'http://[::1]:1/done',
  'http://localhost:5173/done',
  'com.example.app:/done',
])('a redirect to %s, which any program can receive', (redirect_uri) => {
  const { fields } = request(native, { redirect_uri });
  test('a sign-in within the last minute is enough; after that the user signs in again', async () => {
    const bob = await scene.visitor();
    pass(58_000);
    expect(redirected(await authorize(fields, bob.cookie)).given).toHaveProperty('code');
    pass(3_000);
    const { to, given } = redirected(await authorize(fields, bob.cookie));
    expect([to, given]).toEqual([`${pages}/sign-in`, { ...fields, prompt: 'login' }]);
    // The page returns with the original parameters except the prompt, and with its new session.
    const again = await world.session(bob.uid, scene.project);
    const cookie = await scene.keep(again);
    expect(redirected(await authorize(fields, cookie)).given).toHaveProperty('code');
  });

  test.each([
    [31, 58, 'the minute begins when the page continues after recovery codes'],
    [599, 58, 'also after ten minutes'],
    [20, 38, 'it begins at a sign-in within the last half minute'],
    [602, 0, 'there is none for an older sign-in'],
  ])('a session put into a cookie after %i s is enough for %i s: %s', async (before, good) => {
    const bob = await world.user({ verified: true, project: scene.project });
    const isEnough = async (cookie: string) =>
      'code' in redirected(await authorize(fields, cookie)).given;
    pass(before * 1_000);
    const cookie = await scene.keep(bob);
    pass(good * 1_000);
    expect(await isEnough(cookie)).toBe(good > 0);
    pass(4_000);
    expect(await isEnough(cookie)).toBe(false);
  });

  test('putting a session into the cookie again starts no second minute', async () => {
    const bob = await world.user({ verified: true, project: scene.project });
    pass(40_000);
    await scene.keep(bob);
    pass(62_000);
    expect(redirected(await authorize(fields, await scene.keep(bob))).given).toHaveProperty(
      'prompt',
    );
  });

  test('prompt=none is login_required after a minute, and a longer max_age does not extend it', async () => {
    const bob = await scene.visitor();
    pass(61_000);
    const long = redirected(await authorize({ ...fields, max_age: '3600' }, bob.cookie));
    expect(long.to).toBe(`${pages}/sign-in`);
    const silent = redirected(await authorize({ ...fields, prompt: 'none' }, bob.cookie));
    expect([silent.to, silent.given['error']]).toEqual([redirect_uri, 'login_required']);
    const { fields: ofWeb } = request(web, { prompt: 'none' });
    expect(redirected(await authorize(ofWeb, bob.cookie)).given).toHaveProperty('code');
  });
});

describe('without a session', () => {
  const { fields } = request();
  const others = { ...fields, ui_locales: 'de', login_hint: 'ada@example.com' };

  test.each([
    ['no cookie', undefined],
    ['a cookie that is no token', `session-${project_id}=x`],
    ['a cookie of another name', ada.cookie.replace('session-', 'session2-')],
    ['two cookies', `${ada.cookie}; ${ada.cookie}`],
    ['the cookie of a session that has ended', gone.cookie],
  ])('302 to the sign-in page with the same query: %s', async (_, cookie) => {
    const answer = await authorize({ ...others, unknown: 'x' }, cookie);
    expect(answer.status).toBe(302);
    expect(redirected(answer)).toMatchObject({ to: `${pages}/sign-in`, given: others });
    expect(redirected(answer).given).not.toHaveProperty('unknown');
  });

  test('302 to the sign-up page for prompt=create', async () => {
    const { to, given } = redirected(await authorize({ ...fields, prompt: 'create' }));
    expect([to, given]).toEqual([`${pages}/sign-up`, { ...fields, prompt: 'create' }]);
  });
});

describe('with a session', () => {
  test.each(['none', 'consent', ''])('returns a code for prompt=%s', async (prompt) => {
    const answer = await authorize(request(web, { prompt }).fields, ada.cookie);
    expect(redirected(answer).given).toHaveProperty('code');
  });

  test.each([
    ['login', 'sign-in', 'login'],
    ['select_account', 'sign-in', 'login'],
    ['login consent', 'sign-in', 'login'],
    ['create', 'sign-up', 'create'],
  ])('prompt=%s redirects to the page %s with prompt=%s', async (prompt, page, kept) => {
    const { fields } = request(web, { prompt });
    const { to, given } = redirected(await authorize(fields, ada.cookie));
    expect([to, given]).toEqual([`${pages}/${page}`, { ...fields, prompt: kept }]);
  });

  test('max_age sends an older session to the sign-in page, and no younger one', async () => {
    const bob = await scene.visitor();
    pass(100_000);
    const asking = (max_age: string) => authorize(request(web, { max_age }).fields, bob.cookie);
    expect(redirected(await asking('101')).given).toHaveProperty('code');
    const { to, given } = redirected(await asking('99'));
    expect(to).toBe(`${pages}/sign-in`);
    // The page's sign-in is brand new, so no max_age leads there twice.
    expect(given).toMatchObject({ prompt: 'login' });
    expect(given).not.toHaveProperty('max_age');
  });

  test('max_age counts from auth_time, which reauthentication renews', async () => {
    const own = await oauthScene(world, { password_sign_in: true });
    const { email } = await own.visitor();
    const [of, password] = [{ project_id: own.project_id }, goodPassword];
    await world.as().passwords.forgot({ ...of, email });
    await world.drainStream();
    const [, token = ''] = /#token=([\w-]{43})/.exec(world.mails()[0]?.text ?? '') ?? [];
    const { body: bob } = await world.as().passwords.set({ ...of, token, password });
    const cookie = await own.keep(bob);
    pass(100_000);
    const { fields } = own.request(own.web, { max_age: '50', prompt: 'none' });
    const ask = async () => redirected(await own.authorize(fields, cookie)).given;
    expect(await ask()).toHaveProperty('error', 'login_required');
    const signedIn = world.as(`Bearer ${bob.access_token}`).sessions;
    expect((await signedIn.reauthenticate({ password })).status).toBe(200);
    expect(await ask()).toHaveProperty('code');
    pass(51_000);
    expect(await ask()).toHaveProperty('error', 'login_required');
  });

  test('max_age=0 with prompt=none is login_required after a second', async () => {
    const bob = await scene.visitor();
    pass(2_000);
    const { fields } = request(web, { max_age: '0', prompt: 'none' });
    expect(redirected(await authorize(fields, bob.cookie)).given['error']).toBe('login_required');
  });

  test('id_token_hint of the user is accepted; of another user it is login_required', async () => {
    const bob = await scene.visitor();
    const { id_token: id_token_hint } = await scene.tokens(bob);
    const { fields } = request(web, { id_token_hint });
    expect(redirected(await authorize(fields, bob.cookie)).given).toHaveProperty('code');
    expect(redirected(await authorize(fields, ada.cookie)).given['error']).toBe('login_required');
  });

  test('an unreadable id_token_hint is ignored', async () => {
    const { fields } = request(web, { id_token_hint: ada.access_token });
    expect(redirected(await authorize(fields, ada.cookie)).given).toHaveProperty('code');
  });

  test('the cookie with the previous refresh token is accepted for a minute, and later revokes nothing', async () => {
    const bob = await scene.visitor();
    const renewed = await world.call({
      method: 'POST',
      path: `/pages/${project_id}/session/token`,
      headers: { cookie: bob.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(renewed.status).toBe(200);
    expect(redirected(await authorize(request().fields, bob.cookie)).given).toHaveProperty('code');
    pass(61_000);
    expect(redirected(await authorize(request().fields, bob.cookie)).to).toBe(`${pages}/sign-in`);
    // Showing an old cookie here does not use it, so nothing is revoked.
    const { access_token } = renewed.body as { access_token: string };
    expect((await world.as(`Bearer ${access_token}`).users.getMe()).status).toBe(200);
  });
});

describe('an invalid request redirects to the client with the error', () => {
  test.each<[error: string, more: Record<string, string | undefined>]>([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_type: undefined }],
    ['invalid_request', { response_mode: 'fragment' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_scope', { scope: 'openid "quoted"' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { prompt: 'sometimes' }],
    ['invalid_request', { max_age: '-1' }],
    ['invalid_request', { max_age: '1.5' }],
    ['request_not_supported', { request: 'a.b.c' }],
    ['request_uri_not_supported', { request_uri: 'https://app.example.com/request' }],
    ['registration_not_supported', { registration: '{}' }],
  ])('%s: %j', async (error, more) => {
    const { fields } = request(web, more);
    const { to, given } = redirected(await authorize(fields, ada.cookie));
    expect([to, given]).toEqual([
      callback,
      {
        ...{ error, error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/) },
        ...{ state: fields['state'], iss: world.url },
      },
    ]);
  });

  test.each([
    ['response_type', 512, 'unsupported_response_type', 'response_type must be code'],
    ['response_mode', 512, 'invalid_request', 'response_mode must be query'],
    ['code_challenge', 512, 'invalid_request', /^code_challenge must be /],
    ['request', 2_048, 'request_not_supported', 'request is not supported'],
    ['request_uri', 512, 'request_uri_not_supported', 'request_uri is not supported'],
    ['max_age', 512, 'invalid_request', 'max_age must be a number of seconds'],
    ['scope', limits.oauthScope, 'invalid_request', 'scope is too long'],
    ...['nonce', 'prompt', 'login_hint', 'ui_locales'].map(
      (name) => [name, limits.oauthParameter, 'invalid_request', `${name} is too long`] as const,
    ),
  ] as const)('%s of more than %i characters: %s', async (name, max, error, description) => {
    for (const more of [1, 1_000]) {
      const { fields } = request(web, { [name]: 'x'.repeat(max + more) });
      const { to, given } = redirected(await authorize(fields, ada.cookie));
      expect([to, given['error'], given['state']]).toEqual([callback, error, fields['state']]);
      expect(given['error_description']).toMatch(description);
    }
  });

  test('an id_token_hint that is too long is ignored', async () => {
    const { fields } = request(web, { id_token_hint: 'x'.repeat(limits.signedToken + 1) });
    expect(redirected(await authorize(fields, ada.cookie)).given).toHaveProperty('code');
    expect(redirected(await authorize(fields)).to).toBe(`${pages}/sign-in`);
  });

  test('a state of half the maximum length of a redirect is returned', async () => {
    const { fields: asked } = request(web, { state: 's'.repeat(limits.location / 2) });
    const { given } = redirected(await authorize(asked, ada.cookie));
    expect(given).toMatchObject({ code: expect.any(String), state: asked['state'] });
  });

  test('a state that is too long to return is not returned', async () => {
    const { fields: asked } = request(web, { state: '€'.repeat(500) });
    const { given } = redirected(await authorize(asked, ada.cookie));
    expect(given).toMatchObject({ error: 'invalid_request', iss: world.url });
    expect(given).not.toHaveProperty('state');
  });
});

describe('400 without a redirect', () => {
  test.each<[what: string, more: Record<string, string | undefined>]>([
    ['no client_id', { client_id: undefined }],
    ['an unknown client', { client_id: `${project_id}.nobody` }],
    ['an unknown project', { client_id: 'nowhere.web' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['a redirect_uri of another client', { redirect_uri: 'http://127.0.0.1/done' }],
  ])('for %s', async (_, more) => {
    const answer = await authorize({ ...request().fields, ...more }, ada.cookie);
    expectProblem(answer, 'invalid_request', onlyAt(`/query/${Object.keys(more)[0]}`));
    expect(answer.headers.has('location')).toBe(false);
  });

  test('for a repeated parameter', async () => {
    const query = new URLSearchParams(request().fields as Record<string, string>).toString();
    const path = `/authorize?${query}&state=2`;
    expectProblem(await world.call('GET', path), 'invalid_request', { errors: expect.anything() });
  });
});

describe('a new registration', () => {
  const added = 'https://app.example.com/added';
  type Client = typeof web;
  test.each<[what: string, change: (client: Client) => Client]>([
    ['a redirect URI', (client) => ({ ...client, redirect_uris: [callback, added] })],
    [
      'a client',
      (client) => ({ ...client, client_id: `${client.client_id}2`, redirect_uris: [added] }),
    ],
  ])(
    'of %s is accepted immediately, or a second after a request for it was refused',
    async (_, change) => {
      const own = await oauthScene(world);
      const { cookie } = await own.visitor();
      const client = change(own.web);
      const ask = async (redirect_uri = added, of = client) =>
        (await own.authorize(own.request(of, { redirect_uri }).fields, cookie)).status;
      expect(await ask(callback, own.web)).toBe(302);
      pass(10_000);
      await own.set({ oauth_clients: [client] });
      expect(await ask()).toBe(302);
      // Requests that match no client make the instance read the project once a second at most.
      await own.set({ oauth_clients: [own.web] });
      pass(70_000);
      expect(await ask()).toBe(400);
      await own.set({ oauth_clients: [client] });
      expect(await ask()).toBe(400);
      pass(1_000);
      expect(await ask()).toBe(302);
    },
  );
});

test('unknown scopes are not granted, and without openid there is no ID token', async () => {
  const openid = await scene.tokens(ada, web, { scope: 'openid offline_access phone' });
  expect(openid.scope).toBe('openid');
  expect(Object.keys(claimsOf(openid.id_token))).not.toContain('email');
  const plain = await scene.tokens(ada, web, { scope: undefined });
  expect(plain).not.toHaveProperty('id_token');
  expect(plain).not.toHaveProperty('scope');
});

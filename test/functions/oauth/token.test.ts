import { createHash, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { ErrorCode } from '#shared/model/error-codes.ts';
import { errorCodes } from '#shared/model/error-codes.ts';
import { limits } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import type { Answer } from '../../support/call.ts';
import { expectProblem } from '../../support/expectations.ts';
import { callback, type Fields, headerOf, oauthScene } from '../../support/oauth.ts';
import { pass, sessionIdOf } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const scene = await oauthScene(world);
const { project_id, web, native, server, basicOf, token, code, tokens, refresh } = scene;
const ada = await scene.visitor({ display_name: 'Ada', thumbnail_url: 'https://example.com/a' });
/** The error in the form of RFC 6749, with our own members. */
function expectRefused(answer: Answer, refusal: ErrorCode): void {
  const { status } = errorCodes[refusal];
  const { error, code: ours } = answer.body;
  expect([answer.status, error, ours]).toEqual([status, refusal, refusal]);
  expect(answer.body.error_description).toEqual(expect.any(String));
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
}
const mine = async (access_token: string) =>
  (await world.as(`Bearer ${access_token}`).users.getMe()).status;

describe('authorization_code', () => {
  test('200 with the tokens of a new session of the client, which the user sees in the list', async () => {
    const answer = await token(await code(ada, web, { nonce: 'n-1' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      refresh_token: expect.stringMatching(/^rt_/),
      id_token: expect.any(String),
      scope: 'openid email profile',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    const { access_token } = answer.body;
    expect(await mine(access_token)).toBe(200);
    const { body } = await world.as(ada).sessions.list({});
    const [started] = body.result;
    expect(started).toMatchObject({
      ...{ session_id: sessionIdOf({ access_token }), client_id: web.client_id, current: false },
      method: 'project',
    });
    expect(sessionIdOf({ access_token })).not.toBe(sessionIdOf(ada));
  });

  test('the ID token names the user, the client and the time of sign-in, and verifies with a published key', async () => {
    pass(50_000);
    const { id_token, access_token } = await tokens(ada, web, { nonce: 'n-1' });
    const { kid, ...header } = headerOf(id_token);
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT' });
    const { iat } = claimsOf(access_token);
    const half = createHash('sha256').update(access_token).digest().subarray(0, 16);
    expect(claimsOf(id_token)).toEqual({
      ...{ iss: world.url, sub: ada.uid, aud: web.client_id, nonce: 'n-1', iat, exp: iat + 600 },
      sid: sessionIdOf({ access_token }),
      auth_time: claimsOf(ada.access_token).iat,
      at_hash: half.toString('base64url'),
      ...{ email: ada.email, email_verified: true, name: 'Ada', picture: 'https://example.com/a' },
    });
    const { body } = await world.call('GET', '/.well-known/jwks.json');
    const key = body.keys.find((each: { kid: string }) => each.kid === kid);
    const [signed, signature = ''] = [
      id_token.slice(0, id_token.lastIndexOf('.')),
      id_token.split('.')[2],
    ];
    const bytes = Buffer.from(signature, 'base64url');
    expect(verify('sha256', Buffer.from(signed), { key, format: 'jwk' }, bytes)).toBe(true);
  });

  test('auth_time, amr and acr are those of the session in the browser', async () => {
    const other = await oauthScene(world, { mfa: 'optional' });
    const person = await other.visitor();
    const key = keys.session(person.uid, sessionIdOf(person));
    const created_at = new Date(Date.now() - 3_600_000).toISOString();
    const shown = { method: 'idpw', second_factor: 'totp', created_at };
    await world.table.update(key, shown);
    const signInClaims = {
      auth_time: Math.floor(Date.parse(created_at) / 1_000),
      ...{ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' },
    };
    const { id_token, access_token } = await other.tokens(person, other.web, {});
    for (const each of [id_token, access_token]) expect(claimsOf(each)).toMatchObject(signInClaims);
    // The new session does not count as a recent sign-in either.
    const refused = await world.as(`Bearer ${access_token}`).factors.startTotp({});
    expectProblem(refused, 'reauthentication_required');
  });

  test('the session has the device of the browser, which stays known when this or other sessions end', async () => {
    const bob = await scene.visitor();
    // Recognised by the device token while travelling: the network is a different one.
    const devices = ['at-home-abcdef', 'elsewh-ghijkl'];
    await world.table.update(keys.user(bob.uid), { devices });
    await world.table.update(keys.session(bob.uid, sessionIdOf(bob)), { device: devices[0] });
    const known = async () => (await world.table.get(keys.user(bob.uid)))?.['devices'];
    const [one, two] = [await tokens(bob), await tokens(bob)];
    await world.as(`Bearer ${one.access_token}`).sessions.signOut();
    await world.as(bob).sessions.end({ session_id: sessionIdOf(two) });
    expect(await known()).toEqual(devices);
    const { access_token } = await tokens(bob);
    const ended = await world.as(`Bearer ${access_token}`).sessions.endAll({});
    expect(ended.body).toEqual({ ended: 1 });
    expect(await known()).toEqual(['at-home-abcdef']);
  });

  test('an ES256 project signs ID tokens with ES256', async () => {
    const other = await oauthScene(world, { token_algorithm: 'ES256' });
    const { id_token } = await other.tokens(await other.visitor());
    expect(headerOf(id_token).alg).toBe('ES256');
  });

  test('a claim is included only if its scope was granted and it has a value', async () => {
    const bob = await scene.visitor();
    const email = claimsOf((await tokens(bob, web, { scope: 'openid email' })).id_token);
    expect(email).toMatchObject({ email: bob.email, email_verified: true });
    const profile = claimsOf((await tokens(bob, web, { scope: 'openid profile' })).id_token);
    for (const name of ['email', 'email_verified', 'name', 'picture'])
      expect(profile).not.toHaveProperty(name);
  });

  test('the 51st session ends the oldest of its OAuth client; a sign-in ends the oldest of any OAuth client', async () => {
    const bob = await scene.visitor();
    const [second, oldest] = [await tokens(bob, native), await tokens(bob)];
    const own: { bearer: string }[] = [bob];
    for (let i = 3; i < limits.sessionsPerUser; i += 1)
      own.push(await world.session(bob.uid, scene.project));
    expect(await mine(oldest.access_token)).toBe(200);
    const third = await tokens(bob);
    expect(await mine(oldest.access_token)).toBe(401);
    own.push(await world.session(bob.uid, scene.project));
    expect(await mine(second.access_token)).toBe(401);
    own.push(await world.session(bob.uid, scene.project));
    expect(await mine(third.access_token)).toBe(401);
    for (const { bearer } of own) expect((await world.as(bearer).users.getMe()).status).toBe(200);
    // The client has no other sessions, so the oldest one ends, not the new one.
    const last = await tokens(bob);
    expect([await mine(last.access_token), await mine(bob.access_token)]).toEqual([200, 401]);
  });

  test.each<[what: string, more: Fields, code: ErrorCode]>([
    ['no code', { code: undefined }, 'invalid_request'],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['no code_verifier', { code_verifier: undefined }, 'invalid_request'],
    ['no grant_type', { grant_type: undefined }, 'invalid_request'],
    ['another grant_type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['another code', { code: 'x' }, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: `${callback}/` }, 'invalid_grant'],
    [
      'another registered redirect_uri',
      { redirect_uri: 'https://app.example.com/other?a=b' },
      'invalid_grant',
    ],
    ['another code_verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['a code_verifier that is too short', { code_verifier: 'x' }, 'invalid_grant'],
  ])('refused with %s, and the code stays valid', async (_, more, refusal) => {
    const presented = await code(ada);
    expectRefused(await token({ ...presented, ...more }), refusal);
    expect((await token(presented)).status).toBe(200);
  });

  test('invalid_grant after a minute', async () => {
    const [late, inTime] = [await code(ada), await code(ada)];
    pass(58_000);
    expect((await token(inTime)).status).toBe(200);
    pass(2_000);
    expectRefused(await token(late), 'invalid_grant');
  });

  test('a second use is refused and ends the session of the first use, but no other', async () => {
    const presented = await code(ada);
    const [{ body }, other] = [await token(presented), await tokens(ada)];
    expectRefused(await token(presented), 'invalid_grant');
    expect([await mine(body.access_token), await mine(other.access_token)]).toEqual([401, 200]);
    expectRefused(await refresh(web, body.refresh_token), 'invalid_grant');
    // Again, when there is nothing left to end.
    expectRefused(await token(presented), 'invalid_grant');
    expect(await mine(ada.access_token)).toBe(200);
  });

  test('of five concurrent uses one starts a session, which the others end', async () => {
    const bob = await scene.visitor();
    const presented = await code(bob);
    const answers = await Promise.all(Array.from({ length: 5 }, () => token(presented)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    for (const answer of answers) if (answer !== good[0]) expectRefused(answer, 'invalid_grant');
    expect((await world.as(bob).sessions.list({})).body.result).toHaveLength(1);
  });

  test.each<[what: string, end: (person: typeof ada) => Promise<unknown>]>([
    ['signed out of the browser', (person) => world.as(person).sessions.signOut()],
    [
      'been signed out everywhere',
      ({ uid }) => world.as(scene.project).sessions.endAll({ user_id: uid }),
    ],
    ['been disabled', ({ uid }) => world.as(scene.project).users.update({ uid, disabled: true })],
    ['been deleted', ({ uid }) => world.as(scene.project).users.delete({ uid })],
  ])('invalid_grant if the user has %s since', async (_, end) => {
    const bob = await scene.visitor();
    const presented = await code(bob);
    expect((await end(bob)) as Answer).toMatchObject({ status: expect.toBeOneOf([200, 202]) });
    expectRefused(await token(presented), 'invalid_grant');
  });
});

describe('refresh_token', () => {
  test('200 with new tokens of the same session, its scope, and an ID token without a nonce', async () => {
    const first = await tokens(ada, web, { nonce: 'n-1' });
    const { status, body } = await refresh(web, first.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', scope: first.scope });
    const [before, after] = [claimsOf(first.id_token), claimsOf(body.id_token)];
    expect(after).toMatchObject({ sid: before.sid, sub: before.sub, auth_time: before.auth_time });
    expect(after).not.toHaveProperty('nonce');
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await mine(body.access_token)).toBe(200);
    // Reauthentication is not a new sign-in: relying parties compare the two times.
    const session = keys.session(ada.uid, sessionIdOf(body));
    await world.table.update(session, {
      authenticated_at: new Date(Date.now() + 5_000).toISOString(),
    });
    const { body: later } = await refresh(web, body.refresh_token);
    expect(claimsOf(later.id_token).auth_time).toBe(before.auth_time);
    expect(claimsOf(later.access_token).auth_time).toBeGreaterThan(before.auth_time);
  });

  test('the previous token gets the same response, and an older one ends the session', async () => {
    const first = await tokens(ada);
    const second = (await refresh(web, first.refresh_token)).body;
    expect((await refresh(web, first.refresh_token)).body).toEqual(second);
    const third = (await refresh(web, second.refresh_token)).body;
    expectRefused(await refresh(web, first.refresh_token), 'invalid_grant');
    expect(await mine(third.access_token)).toBe(401);
  });

  test('a public client can refresh at POST /sessions/token/refresh too', async () => {
    const renewed = await world.renew(await tokens(ada));
    expect(renewed.status).toBe(200);
    expect((await refresh(web, renewed.body.refresh_token)).status).toBe(200);
  });

  test('a narrower scope changes nothing; a wider one is refused without a rotation', async () => {
    const { refresh_token } = await tokens(ada, web, { scope: 'openid email' });
    const wider = await refresh(web, refresh_token, undefined, { scope: 'openid profile' });
    expectRefused(wider, 'invalid_scope');
    pass(61_000);
    const narrower = await refresh(web, refresh_token, undefined, { scope: 'openid' });
    expect([narrower.status, narrower.body.scope]).toEqual([200, 'openid email']);
  });

  test('a scope can repeat unknown values of the request, but must be well-formed', async () => {
    const scope = `openid email offline_access ${'x'.repeat(600)}`;
    const { refresh_token } = await tokens(ada, web, { scope });
    const malformed = await refresh(web, refresh_token, undefined, { scope: 'openid "email"' });
    expectRefused(malformed, 'invalid_scope');
    const repeated = await refresh(web, refresh_token, undefined, { scope });
    expect([repeated.status, repeated.body.scope]).toEqual([200, 'openid email']);
  });

  test.each<[what: string, token: () => Promise<string | undefined>, code: ErrorCode]>([
    ['no token', async () => undefined, 'invalid_request'],
    ['a malformed token', async () => 'x', 'invalid_grant'],
    ['an access token', async () => (await tokens(ada)).access_token, 'invalid_grant'],
    ['the refresh token of the browser session', async () => ada.refresh_token, 'invalid_grant'],
  ])('refused with %s', async (_, make, refusal) => {
    const refresh_token = await make();
    const given = { grant_type: 'refresh_token', client_id: web.client_id, refresh_token };
    expectRefused(await token(given), refusal);
  });

  test('invalid_grant for an ended session and for a deleted user', async () => {
    const bob = await scene.visitor();
    const [one, two] = [await tokens(bob), await tokens(bob)];
    await world.as(`Bearer ${one.access_token}`).sessions.signOut();
    expectRefused(await refresh(web, one.refresh_token), 'invalid_grant');
    await world.as(scene.project).users.delete({ uid: bob.uid });
    expectRefused(await refresh(web, two.refresh_token), 'invalid_grant');
  });
});

describe('the client', () => {
  const presented = async (of = server) => code(ada, of);

  test.each<[how: string, send: () => Promise<Answer>]>([
    ['Basic', async () => token(await presented(), basicOf(server))],
    [
      'Basic and two blanks',
      async () => token(await presented(), basicOf(server).replace(' ', '  ')),
    ],
    [
      'Basic, without client_id in the body',
      async () => token({ ...(await presented()), client_id: undefined }, basicOf(server)),
    ],
    ['the body', async () => token({ ...(await presented()), client_secret: scene.secret })],
    ['nothing, for one without secrets', async () => token(await presented(web))],
    ['Basic with an empty secret', async () => token(await presented(web), basicOf(web, ''))],
    ['an empty secret', async () => token({ ...(await presented(web)), client_secret: '' })],
  ])('200 authenticated by %s', async (_, send) => {
    expect((await send()).status).toBe(200);
  });

  test('200 with both parts of Basic form-urlencoded', async () => {
    const spelled = [...server.client_id].map(
      (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
    const auth = `Basic ${Buffer.from(`${spelled.join('')}:${scene.secret}`).toString('base64')}`;
    expect((await token(await presented(), auth)).status).toBe(200);
  });

  test.each<[what: string, more: Fields, auth: string | undefined, code: ErrorCode]>([
    ['without its secret', {}, undefined, 'invalid_client'],
    ['with another secret', { client_secret: 'x' }, undefined, 'invalid_client'],
    ['with another secret in Basic', {}, basicOf(server, 'x'), 'invalid_client'],
    [
      'with a project secret, which is not a secret of the client',
      { client_secret: scene.project.secret },
      undefined,
      'invalid_client',
    ],
    ['that does not exist', { client_id: `${project_id}.x` }, undefined, 'invalid_client'],
    ['of an unknown project', { client_id: 'No Project' }, undefined, 'invalid_client'],
    ['without client_id', { client_id: undefined }, undefined, 'invalid_client'],
    ['with another scheme', {}, `Bearer ${scene.secret}`, 'invalid_client'],
    ['with Basic that is no base64', {}, 'Basic ?', 'invalid_client'],
    [
      'with Basic that is not form-urlencoded',
      {},
      basicOf(server, 'x').slice(0, -8),
      'invalid_client',
    ],
    ['with an assertion', { client_assertion: 'a.b.c' }, undefined, 'invalid_client'],
    [
      'that authenticates twice',
      { client_secret: scene.secret },
      basicOf(server),
      'invalid_request',
    ],
    ['that names two clients', { client_id: web.client_id }, basicOf(server), 'invalid_request'],
  ])('refused %s, and the code stays valid', async (_, more, auth, refusal) => {
    const good = await presented();
    const answer = await token({ ...good, ...more }, auth);
    expectRefused(answer, refusal);
    const basic = refusal === 'invalid_client' && auth?.startsWith('Basic');
    if (basic) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    // The code was not used.
    expect((await token(good, basicOf(server))).status).toBe(200);
  });

  test('refused if a public client sends a secret', async () => {
    const answer = await token({ ...(await presented(web)), client_secret: scene.secret });
    expectRefused(answer, 'invalid_client');
  });

  test('200 with one of several secrets', async () => {
    const [secret] = server.secrets;
    const more = { ...server, secrets: [{ ...secret!, sha256: 'x'.repeat(43) }, secret!] };
    await scene.set({ oauth_clients: [native, more, web] });
    pass(61_000);
    expect((await token(await presented(), basicOf(server))).status).toBe(200);
    await scene.set({ oauth_clients: [native, server, web] });
  });
});

test('a retry with an Idempotency-Key is authenticated again, because no response is stored', async () => {
  const body = new URLSearchParams(await code(ada, server)).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': 'key-of-the-server-1',
  };
  const send = (auth?: string) =>
    world.call({ method: 'POST', path: '/token', auth, body, headers });
  expect((await send(basicOf(server))).status).toBe(200);
  expectRefused(await send(), 'invalid_client');
});

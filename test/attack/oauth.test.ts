import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { claimsOf } from '../model/tokens.ts';
import { expectProblem, onlyAt } from '../support/expectations.ts';
import {
  callback,
  type Fields,
  headerOf,
  newProof,
  oauthScene,
  redirected,
} from '../support/oauth.ts';
import { startWorld } from '../support/world.ts';

/**
 * Attacks on the authorization code flow, as named in RFC 9700: on codes, tokens, clients and sign-out. Those on
 * redirects are in oauth-redirects.test.ts.
 */

const world = await startWorld();
const scene = await oauthScene(world);
const { project_id, web, native, server, authorize, token, request, logout, basicOf } = scene;
const ada = await scene.visitor();
const mallory = await scene.visitor();
const pages = `${world.url}/pages/${project_id}`;
const mine = async (access_token: string) =>
  (await world.as(`Bearer ${access_token}`).users.getMe()).status;
async function expectRefused(given: Fields, error: string, auth?: string): Promise<void> {
  const { status, body } = await token(given, auth);
  expect([status, body.error]).toEqual([error === 'invalid_client' ? 401 : 400, error]);
}

describe('PKCE downgrade', () => {
  const { code_challenge } = newProof();
  test.each<Fields>([
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge: undefined },
    { code_challenge, code_challenge_method: 'plain' },
    { code_challenge, code_challenge_method: 's256' },
    { code_challenge, code_challenge_method: undefined },
    { code_challenge: '' },
    { code_challenge: `${code_challenge}=` },
    { code_challenge: code_challenge.slice(1) },
  ])('issues no code for %j', async (more) => {
    for (const client of [web, server]) {
      const { to, given } = redirected(await authorize(request(client, more).fields, ada.cookie));
      expect([to, given['error']]).toEqual([callback, 'invalid_request']);
    }
  });

  test('a stolen code cannot be redeemed with the challenge, another verifier or none', async () => {
    const { fields, code_verifier } = request();
    const { code } = redirected(await authorize(fields, ada.cookie)).given;
    const stolen = {
      grant_type: 'authorization_code',
      client_id: web.client_id,
      redirect_uri: callback,
      code,
    };
    const challenge = fields['code_challenge'];
    for (const tried of [challenge, newProof().code_verifier, `${code_verifier}x`, ' '.repeat(43)])
      await expectRefused({ ...stolen, code_verifier: tried }, 'invalid_grant');
    for (const tried of [undefined, ''])
      await expectRefused({ ...stolen, code_verifier: tried }, 'invalid_request');
    expect((await token({ ...stolen, code_verifier })).status).toBe(200);
  });
});

describe('code injection', () => {
  test('a code is not redeemed by another client of the same project or of another project', async () => {
    const presented = await scene.code(ada);
    const elsewhere = await oauthScene(world);
    await expectRefused({ ...presented, client_id: native.client_id }, 'invalid_grant');
    await expectRefused({ ...presented, client_id: elsewhere.web.client_id }, 'invalid_grant');
    await expectRefused({ ...presented, client_id: undefined }, 'invalid_grant', basicOf(server));
    expect((await token(presented)).status).toBe(200);
    // Another client that presents a used code revokes nothing either.
    const { body } = await token(await scene.code(ada));
    const used = await scene.code(mallory);
    await token(used);
    await expectRefused({ ...used, client_id: native.client_id }, 'invalid_grant');
    expect(await mine(body.access_token)).toBe(200);
  });

  test('a code is not redeemed by its digest in the table', async () => {
    const { code, ...presented } = await scene.code(ada);
    const { pk } = keys.authorizationCode(code);
    for (const tried of [pk, pk.slice('OAUTH_CODE#'.length)])
      await expectRefused({ ...presented, code: tried }, 'invalid_grant');
  });
});

describe('a code can be used once', () => {
  test('a used code presented without the right verifier or redirect URI revokes nothing', async () => {
    const presented = await scene.code(ada);
    const { body } = await token(presented);
    const { code_verifier } = newProof();
    await expectRefused({ ...presented, code_verifier }, 'invalid_grant');
    await expectRefused({ ...presented, redirect_uri: `${callback}?` }, 'invalid_grant');
    expect(await mine(body.access_token)).toBe(200);
  });

  test('a used code presented again ten minutes later revokes its tokens', async () => {
    const bob = await scene.visitor();
    const presented = await scene.code(bob);
    const { body } = await token(presented);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 599_000 });
    await expectRefused(presented, 'invalid_grant');
    expect(await mine(body.access_token)).toBe(401);
  });
});

describe('client impersonation', () => {
  test('a confidential client without its secret can use neither a code nor a refresh token', async () => {
    const presented = await scene.code(ada, server);
    await expectRefused(presented, 'invalid_client');
    await expectRefused(
      { ...presented, client_secret: server.secrets[0]?.sha256 },
      'invalid_client',
    );
    const { refresh_token, access_token: accessToken } = await scene.tokens(ada, server);
    const stolen = { grant_type: 'refresh_token', refresh_token };
    await expectRefused({ ...stolen, client_id: server.client_id }, 'invalid_client');
    await expectRefused({ ...stolen, client_id: web.client_id }, 'invalid_grant');
    const alone = world.as(`Bearer ${refresh_token}`);
    expectProblem(await alone.sessions.refresh({ accessToken }), 'unauthenticated');
    // Nor as a browser's cookie.
    const path = `/pages/${project_id}/session`;
    const headers = { 'sec-fetch-site': 'same-origin' };
    const kept = await world.call('POST', path, `Bearer ${refresh_token}`, undefined, { headers });
    expectProblem(kept, 'unauthenticated');
    expect((await token(stolen, basicOf(server))).status).toBe(200);
  });

  test('a confidential client whose secrets were removed cannot renew its sessions', async () => {
    const { refresh_token } = await scene.tokens(ada, server);
    await scene.set({ oauth_clients: [native, { ...server, secrets: [] }, web] });
    // A time at which all caches of this file have expired.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 700_000 });
    const stolen = { grant_type: 'refresh_token', refresh_token, client_id: server.client_id };
    await expectRefused(stolen, 'invalid_grant');
    await scene.set({ oauth_clients: [native, server, web] });
  });

  test('a refresh token of another client, or of no client, is neither renewed nor revoked', async () => {
    const { refresh_token, access_token } = await scene.tokens(ada);
    for (const of of [native.client_id, (await oauthScene(world)).web.client_id])
      await expectRefused(
        { grant_type: 'refresh_token', refresh_token, client_id: of },
        'invalid_grant',
      );
    await expectRefused(
      { grant_type: 'refresh_token', refresh_token: ada.refresh_token, client_id: web.client_id },
      'invalid_grant',
    );
    expect([await mine(access_token), await mine(ada.access_token)]).toEqual([200, 200]);
    const own = { grant_type: 'refresh_token', refresh_token, client_id: web.client_id };
    expect((await token(own)).status).toBe(200);
  });

  test("a client's secret does not work as a project secret, nor a project secret as a client's secret", async () => {
    const { client_id } = server;
    for (const [name, given] of [
      [project_id, scene.secret],
      [client_id, scene.secret],
    ])
      expectProblem(
        await world.call(
          'GET',
          `/users/${ada.uid}`,
          `Basic ${Buffer.from(`${name}:${given}`).toString('base64')}`,
        ),
        'unauthenticated',
      );
    await expectRefused(
      await scene.code(ada, server),
      'invalid_client',
      basicOf(server, scene.project.secret),
    );
  });
});

describe('confusion of token types', () => {
  test('an ID token is not accepted as an access token, nor with the header of one', async () => {
    const { id_token, access_token } = await scene.tokens(ada);
    expectProblem(await world.as(`Bearer ${id_token}`).users.getMe(), 'unauthenticated');
    const [head] = access_token.split('.');
    const [, body, signature] = id_token.split('.');
    const forged = `${head}.${body}.${signature}`;
    expectProblem(await world.as(`Bearer ${forged}`).users.getMe(), 'unauthenticated');
    const { body: seen } = await world.as(scene.project).sessions.introspect({ token: id_token });
    expect(seen).toEqual({ active: false });
    expect(headerOf(id_token).typ).not.toBe(headerOf(access_token).typ);
    expect(claimsOf(id_token).aud).not.toBe(claimsOf(access_token).aud);
  });

  test('an access token, a forged token or an unsigned token is not accepted as a hint of a sign-out', async () => {
    const { id_token, access_token } = await scene.tokens(ada);
    const [head = '', body = '', signature = ''] = id_token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const kid = headerOf(id_token).kid as string;
    const hmac = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid })).toString(
      'base64url',
    );
    const changed = Buffer.from(
      JSON.stringify({ ...claimsOf(id_token), sub: mallory.uid }),
    ).toString('base64url');
    for (const id_token_hint of [
      access_token,
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      `${hmac}.${body}.${signature}`,
      `${head}.${changed}.${signature}`,
      `${id_token}=`,
      'x'.repeat(2_048),
    ]) {
      const fields = { id_token_hint, client_id: web.client_id };
      expect(redirected(await logout(fields, ada.cookie)).to).toBe(`${pages}/sign-out`);
    }
    expect([await mine(access_token), await mine(ada.access_token)]).toEqual([200, 200]);
  });
});

test('login CSRF: a session cookie of another project or of a client signs no user in', async () => {
  const elsewhere = await oauthScene(world);
  const foreign = await elsewhere.visitor();
  const stolen = foreign.cookie.replace(elsewhere.project_id, project_id);
  const { refresh_token } = await scene.tokens(ada);
  for (const cookie of [foreign.cookie, stolen, `session-${project_id}=${refresh_token}`])
    expect(redirected(await authorize(request().fields, cookie)).to).toBe(`${pages}/sign-in`);
});

test('a project whose hosted pages are switched off has no OAuth client', async () => {
  const off = await oauthScene(world);
  const bob = await off.visitor();
  const [presented, { refresh_token, id_token }] = [await off.code(bob), await off.tokens(bob)];
  await off.set({ hosted_pages: undefined });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_000 });
  // An instance may cache for a minute.
  vi.setSystemTime(Date.now() + 31_000);
  expectProblem(
    await off.authorize(off.request().fields, bob.cookie),
    'invalid_request',
    onlyAt('/query/client_id'),
  );
  const { client_id } = off.web;
  for (const given of [presented, { grant_type: 'refresh_token', refresh_token, client_id }])
    await expectRefused(given, 'invalid_client');
  expectProblem(await off.logout({ id_token_hint: id_token }, bob.cookie), 'invalid_request');
});

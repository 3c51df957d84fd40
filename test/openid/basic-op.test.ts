import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { openidScene } from '../support/openid-scene.ts';
import { relyingParty } from '../support/relying-party.ts';
import { startWorld } from '../support/world.ts';

/**
 * The modules about responses of the OpenID Foundation's plan `oidcc-basic-certification-test-plan`, by name. Their
 * clients are like ours except for PKCE, which this service requires.
 */
const world = await startWorld();
const scene = await openidScene(world);
const { ada, userAgent } = scene;
const { request, authorize, redeem, token, userInfo, signIn, verified } = relyingParty(
  world,
  scene,
);
const everyScope = { scope: 'openid profile email' };
await world
  .as(scene.project)
  .users.update({ uid: ada.uid, preferred_username: 'ada', name: { formatted: 'Ada Lovelace' } });
const profile = { name: 'Ada', preferred_username: 'ada' };
const email = { email: ada.email, email_verified: true };

test('oidcc-server', async () => {
  const { tokens, claims, code } = await signIn(userAgent());
  expect(code).toMatch(/^[\w-]{43}$/);
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'openid' });
  // No claims that were not requested.
  const names = 'acr amr at_hash aud auth_time exp iat iss nonce sid sub';
  expect(Object.keys(claims).sort().join(' ')).toBe(names);
});

test('oidcc-response-type-missing', async () => {
  const { given } = await authorize(userAgent(), { response_type: undefined });
  expect(given['error']).toBe('invalid_request');
});

test('oidcc-idtoken-signature', async () => {
  const { tokens } = await signIn(userAgent());
  const header = decodeProtectedHeader(tokens.id_token);
  expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) });
});

test('oidcc-userinfo-get', async () => {
  const { tokens, claims } = await signIn(userAgent(), everyScope);
  const { status, headers, body } = await userInfo(tokens.access_token);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(body).toEqual({ sub: claims.sub, ...profile, ...email });
});

test('oidcc-userinfo-post-header', async () => {
  const { tokens, claims } = await signIn(userAgent());
  const auth = `Bearer ${tokens.access_token}`;
  expect(await world.call('POST', '/userinfo', auth)).toMatchObject({
    status: 200,
    body: { sub: claims.sub },
  });
});

test('oidcc-userinfo-post-body', async () => {
  const { access_token } = (await signIn(userAgent())).tokens;
  const answer = await world.call({
    method: 'POST',
    path: '/userinfo',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ access_token }).toString(),
  });
  // The plan only warns about a rejection: RFC 9700 and OAuth 2.1 advise against tokens in bodies.
  expect(answer.status).toBe(401);
});

test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
  const { claims } = await signIn(userAgent(), { nonce: undefined });
  expect(claims).not.toHaveProperty('nonce');
});

test.each<[module: string, scope: string, expected: object]>([
  ['oidcc-scope-profile', 'openid profile', profile],
  ['oidcc-scope-email', 'openid email', email],
  ['oidcc-scope-address', 'openid address', {}],
  ['oidcc-scope-phone', 'openid phone', {}],
  ['oidcc-scope-all', 'openid profile email address phone', { ...profile, ...email }],
  ['oidcc-alternate-happy-flow', 'email openid', email],
])('%s', async (_, scope, expected) => {
  const { tokens, claims } = await signIn(userAgent(), { scope });
  const { body } = await userInfo(tokens.access_token);
  expect(body).toEqual({ sub: claims.sub, ...expected });
});

test('oidcc-alternate-happy-flow: parameters in another order', async () => {
  const { fields, code_verifier } = request({ scope: 'email openid' });
  const { received } = relyingParty(world, scene);
  const reordered = new URLSearchParams(Object.entries(fields).toReversed()).toString();
  const visit = await userAgent().open(`${scene.issuer}/authorize?${reordered}`);
  const { code } = received(fields, visit);
  expect((await redeem(code, code_verifier)).status).toBe(200);
});

test('oidcc-claims-essential', async () => {
  const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
  const { tokens } = await signIn(userAgent(), { claims });
  const { body } = await userInfo(tokens.access_token);
  // The parameter is not supported, as the metadata states; the plan warns that `name` is missing.
  expect(body).toEqual({ sub: ada.uid });
});

test('oidcc-refresh-token', async () => {
  const [mine, others] = [relyingParty(world, scene), relyingParty(world, scene, scene.other)];
  const { tokens, claims } = await mine.signIn(userAgent());
  const second = await others.signIn(userAgent());
  expect(tokens.refresh_token).toMatch(/^[\x20-\x7e]+$/);
  const { status, body } = await mine.refresh(tokens.refresh_token);
  expect(status).toBe(200);
  expect(body.access_token).not.toBe(tokens.access_token);
  const { iss, sub, aud, auth_time, iat = 0 } = await verified(body);
  expect({ iss, sub, aud, auth_time }).toEqual({
    ...{ iss: claims.iss, sub: claims.sub, aud: claims.aud, auth_time: claims['auth_time'] },
  });
  expect(iat).toBeGreaterThanOrEqual(claims.iat ?? Infinity);
  expect((await userInfo(body.access_token)).status).toBe(200);

  const stolen = await mine.refresh(second.tokens.refresh_token);
  expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant']);
});

test('oidcc-server-client-secret-post', async () => {
  const { claims } = await signIn(userAgent(), {}, 'client_secret_post');
  expect(claims.sub).toBe(ada.uid);
});

test('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
  const { code, code_verifier } = await authorize(userAgent());
  const wrong = await redeem(
    code,
    code_verifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
  );
  expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant']);
  expect((await redeem(code, code_verifier)).status).toBe(200);
});

test('refuses a client without PKCE, such as those of the plan', async () => {
  const without = { code_challenge: undefined, code_challenge_method: undefined };
  const { given } = await authorize(userAgent(), without);
  expect(given['error']).toBe('invalid_request');
  expect(given['error_description']).toMatch(/PKCE/);
  const { code } = await authorize(userAgent());
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: request().fields['redirect_uri'] ?? '',
  };
  expect((await token(grant)).body.error).toBe('invalid_request');
});

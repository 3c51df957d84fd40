import { expect, test } from 'vitest';
import { type Fields, openidScene } from '../support/openid-scene.ts';
import { relyingParty } from '../support/relying-party.ts';
import { pass } from '../support/started.ts';
import { startWorld } from '../support/world.ts';

/** The modules of `oidcc-basic-certification-test-plan` about request parameters, and about codes. */
const world = await startWorld();
const scene = await openidScene(world);
const { ada, issuer, userAgent } = scene;
const { request, authorize, received, redeem, userInfo, signIn } = relyingParty(world, scene);
test.each<[module: string, more: Fields]>([
  ['oidcc-display-page', { display: 'page' }],
  ['oidcc-display-popup', { display: 'popup' }],
  ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
  ['oidcc-login-hint', { login_hint: 'buffy@example.com' }],
  ['oidcc-ui-locales', { ui_locales: 'se' }],
  ['oidcc-claims-locales', { claims_locales: 'se' }],
  ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
])('%s', async (_, more) => {
  const { claims, pages } = await signIn(userAgent(), more);
  expect([claims.sub, pages]).toEqual([ada.uid, ['sign-in']]);
});

test('the sign-in page gets login_hint and ui_locales of the request', async () => {
  const hints = { login_hint: 'buffy@example.com', ui_locales: 'se' };
  const { url, pages } = await userAgent(null).open(request(hints).url);
  expect(pages).toEqual(['sign-in']);
  expect(Object.fromEntries(url.searchParams)).toMatchObject(hints);
});

test.each<[module: string, milliseconds: number, again: Fields]>([
  ['oidcc-prompt-login', 1_500, { prompt: 'login' }],
  ['oidcc-max-age-1', 2_100, { max_age: '1' }],
])('%s', async (_, milliseconds, again) => {
  const agent = userAgent();
  const first = await signIn(agent);
  pass(milliseconds);
  const second = await signIn(agent, again);
  expect(second.pages).toEqual(['sign-in']);
  expect(second.claims['auth_time']).toBeGreaterThan(Number(first.claims['auth_time']));
});

test('oidcc-prompt-none-not-logged-in', async () => {
  const state = 'x'.repeat(128);
  const { given, pages } = await authorize(userAgent(), { prompt: 'none', state });
  expect([given['error'], given['state'], pages]).toEqual(['login_required', state, []]);
});

test.each<[module: string, more: Fields, again: (id_token: string) => Fields]>([
  ['oidcc-prompt-none-logged-in', {}, () => ({ prompt: 'none' })],
  ['oidcc-max-age-10000', { max_age: '15000' }, () => ({ max_age: '10000' })],
  ['oidcc-id-token-hint', {}, (id_token_hint) => ({ prompt: 'none', id_token_hint })],
])('%s', async (_, more, again) => {
  const agent = userAgent();
  const first = await signIn(agent, more);
  pass(1_500);
  const second = await signIn(agent, again(first.tokens.id_token));
  expect(second.pages).toEqual([]);
  const { sub, auth_time } = first.claims;
  expect(second.claims).toMatchObject({ sub, auth_time: expect.any(Number) });
  expect(second.claims['auth_time']).toBe(auth_time);
});

test('oidcc-codereuse', async () => {
  const { code, code_verifier } = await signIn(userAgent());
  const { status, headers, body } = await redeem(code, code_verifier);
  expect([status, body.error]).toEqual([400, 'invalid_grant']);
  expect(headers.get('content-type')).toBe('application/json');
  expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

test('oidcc-codereuse-30seconds', async () => {
  const { code, code_verifier, tokens } = await signIn(userAgent());
  pass(30_000);
  expect((await userInfo(tokens.access_token)).status).toBe(200);
  expect((await redeem(code, code_verifier)).body.error).toBe('invalid_grant');
  expect((await userInfo(tokens.access_token)).status).toBe(401);
});

test('oidcc-ensure-registered-redirect-uri', async () => {
  const { fields } = request();
  const redirect_uri = `${fields['redirect_uri']}/x1y2z3`;
  const { url, pages, status } = await userAgent().open(request({ redirect_uri }).url);
  expect([url.origin, pages, status]).toEqual([issuer, [], 400]);
});

test('oidcc-ensure-post-request-succeeds', async () => {
  const { fields, code_verifier } = request();
  const visit = await userAgent().open(`${issuer}/authorize`, fields);
  const { code, pages } = received(fields, visit);
  expect(pages).toEqual(['sign-in']);
  expect((await redeem(code, code_verifier)).status).toBe(200);
});

/** `{"alg":"none"}`, the claims of the request, and no signature. */
const unsigned = (claims: object) =>
  [{ alg: 'none' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('')
    .join('.');

test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async () => {
  const { given } = await authorize(userAgent(), { request: unsigned(request().fields) });
  expect(given['error']).toBe('request_not_supported');
});

test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', async () => {
  const request_uri = 'https://app.example.com/request';
  const { given } = await authorize(userAgent(), { request_uri });
  expect(given['error']).toBe('request_uri_not_supported');
});

test('oidcc-ensure-request-object-with-redirect-uri', async () => {
  const wrong = { request: unsigned(request().fields), redirect_uri: 'https://app.example.com/no' };
  const { url, status } = await userAgent().open(request(wrong).url);
  expect([url.origin, status]).toEqual([issuer, 400]);
});

import { generateKeyPairSync, sign } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { type Fields, loggedOut, openidScene, type UserAgent } from '../support/openid-scene.ts';
import { relyingParty } from '../support/relying-party.ts';
import { startWorld } from '../support/world.ts';

/** The modules of `oidcc-rp-initiated-logout-certification-test-plan`, by name. */
const world = await startWorld();
const scene = await openidScene(world);
const { issuer, userAgent } = scene;
const { authorize, signIn, userInfo } = relyingParty(world, scene);
const state = 'x'.repeat(128);

/** A signed-in user, and the request that the plan's client then sends; parameters may be omitted. */
async function signedIn() {
  const agent = userAgent();
  const { tokens } = await signIn(agent);
  const good = { id_token_hint: tokens.id_token, post_logout_redirect_uri: loggedOut, state };
  const out = (fields: Fields) =>
    agent.open(`${issuer}/logout?${new URLSearchParams(fields).toString()}`);
  return { agent, tokens, good, out };
}

/** Whether the browser still has a session, tested as in the plan. */
async function isSignedIn(agent: UserAgent): Promise<boolean> {
  const { given } = await authorize(agent, { prompt: 'none' });
  return given['error'] !== 'login_required';
}

test('oidcc-rp-initiated-logout', async () => {
  const { agent, tokens, good, out } = await signedIn();
  const { url, pages } = await out(good);
  expect([url.href, pages]).toEqual([`${loggedOut}?state=${state}`, []]);
  expect(await isSignedIn(agent)).toBe(false);
  expect((await userInfo(tokens.access_token)).status).toBe(401);
});

test('oidcc-rp-initiated-logout-no-state', async () => {
  const { agent, good, out } = await signedIn();
  const { state: _, ...rest } = good;
  expect((await out(rest)).url.href).toBe(loggedOut);
  expect(await isSignedIn(agent)).toBe(false);
});

test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
  const { agent, good, out } = await signedIn();
  const { post_logout_redirect_uri: _, ...rest } = good;
  expect((await out(rest)).pages).toEqual(['signed-out']);
  expect(await isSignedIn(agent)).toBe(false);
});

test.each<[module: string, post_logout_redirect_uri: string]>([
  ['oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', `${loggedOut}/x1y2z3`],
  ['oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', `${loggedOut}?foo=bar`],
])('%s', async (_, post_logout_redirect_uri) => {
  const { good, out } = await signedIn();
  const { url, pages } = await out({ ...good, post_logout_redirect_uri });
  expect([url.origin, pages]).toEqual([issuer, ['signed-out']]);
});

describe('without a valid ID token the user must confirm the sign-out, and is not redirected', () => {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const modified = (hint: string) => `${part({ alg: 'none' })}.${part(decodeJwt(hint))}.`;

  test.each<[module: string, fields: (good: Fields) => Fields]>([
    ['oidcc-rp-initiated-logout-no-params', () => ({})],
    ['oidcc-rp-initiated-logout-only-state', () => ({ state })],
    [
      'oidcc-rp-initiated-logout-no-id-token-hint',
      ({ post_logout_redirect_uri = '' }) => ({ post_logout_redirect_uri, state }),
    ],
    [
      'oidcc-rp-initiated-logout-modified-id-token-hint',
      (good) => ({ ...good, id_token_hint: modified(good['id_token_hint'] ?? '') }),
    ],
    [
      'oidcc-rp-initiated-logout-bad-id-token-hint',
      (good) => ({ ...good, id_token_hint: forged(good['id_token_hint'] ?? '') }),
    ],
  ])('%s', async (_, fields) => {
    const { agent, good, out } = await signedIn();
    const { url, pages } = await out(fields(good));
    expect([url.origin, pages]).toEqual([issuer, ['sign-out']]);
    expect(await isSignedIn(agent)).toBe(true);

    // The user confirms. The page knows no client to which it could redirect.
    expect(url.searchParams.has('client_id')).toBe(false);
    await agent.endSession();
    expect(await isSignedIn(agent)).toBe(false);
  });

  /** The same header and claims, signed with another key. */
  function forged(hint: string): string {
    const text = hint.slice(0, hint.lastIndexOf('.'));
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }

  test('with client_id and no ID token, the user is redirected to the client after confirming', async () => {
    const { agent, good, out } = await signedIn();
    const { id_token_hint: _, ...rest } = good;
    const { url, pages } = await out({ ...rest, client_id: scene.backend.client_id });
    expect(pages).toEqual(['sign-out']);
    expect(await isSignedIn(agent)).toBe(true);
    await agent.endSession();
    const then = await agent.open(`${issuer}/logout${url.search}`);
    expect([then.url.href, then.pages]).toEqual([`${loggedOut}?state=${state}`, []]);
    expect(await isSignedIn(agent)).toBe(false);
  });
});

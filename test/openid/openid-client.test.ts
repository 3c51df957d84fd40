import * as oauth from 'oauth4webapi';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
} from 'openid-client';
import { describe, expect, test } from 'vitest';
import type { OAuthClient } from '#shared/access/projects.ts';
import { callback, loggedOut, openidScene } from '../support/openid-scene.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const scene = await openidScene(world);
const { issuer, web, backend, secret, ada } = scene;

const discover = ({ client_id }: OAuthClient, auth: ClientAuth) =>
  // The library requires https, which the service of a test does not have.
  discovery(new URL(issuer), client_id, undefined, auth, { execute: [allowInsecureRequests] });

/** The state that an application stores between its redirect and the callback. */
async function begin(config: Configuration, more: Record<string, string> = {}) {
  const pkceCodeVerifier = randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [randomState(), randomNonce()];
  const url = buildAuthorizationUrl(config, {
    ...{ redirect_uri: callback, scope: 'openid email profile' },
    code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...{ state: expectedState, nonce: expectedNonce },
    ...more,
  });
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce } };
}

async function signIn(config: Configuration, agent = scene.userAgent(), more = {}) {
  const { url, checks } = await begin(config, more);
  const landed = (await agent.open(url)).url;
  return { landed, checks, tokens: await authorizationCodeGrant(config, landed, checks) };
}

/** The claims that a resource server reads under RFC 9068. */
async function readByResourceServer(token: string) {
  const url = new URL(issuer);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, insecure),
  );
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request('https://api.example.com/', { headers });
  return oauth.validateJwtAccessToken(server, request, scene.project_id, insecure);
}

describe.each<[client: string, of: OAuthClient, auth: ClientAuth]>([
  ['public', web, None()],
  ['confidential, ClientSecretBasic', backend, ClientSecretBasic(secret)],
  ['confidential, ClientSecretPost', backend, ClientSecretPost(secret)],
])('%s client', (_, of, auth) => {
  test('discovers the service, signs in, reads the user, renews the tokens and signs out', async () => {
    const config = await discover(of, auth);
    const agent = scene.userAgent();
    const { tokens } = await signIn(config, agent);
    const claims = tokens.claims();
    expect(claims).toMatchObject({ iss: issuer, sub: ada.uid, aud: of.client_id });
    expect(claims).toMatchObject({ email: ada.email, email_verified: true, name: 'Ada' });

    const user = await fetchUserInfo(config, tokens.access_token, ada.uid);
    expect(user).toEqual({ sub: ada.uid, email: ada.email, email_verified: true, name: 'Ada' });

    const renewed = await refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.access_token).not.toBe(tokens.access_token);
    expect(renewed.claims()).toMatchObject({ sub: ada.uid, sid: claims?.['sid'] });

    for (const { access_token } of [tokens, renewed])
      expect(await readByResourceServer(access_token)).toMatchObject({
        ...{ sub: ada.uid, client_id: of.client_id },
      });

    const id_token_hint = renewed.id_token ?? '';
    const out = { post_logout_redirect_uri: loggedOut, id_token_hint, state: 's' };
    const { url, pages } = await agent.open(buildEndSessionUrl(config, out));
    expect([url.href, pages]).toEqual([`${loggedOut}?state=s`, []]);
    const refused = await refreshTokenGrant(config, renewed.refresh_token ?? '').catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ResponseBodyError);
    expect(refused).toMatchObject({ error: 'invalid_grant', status: 400 });
  });
});

describe('what the library checks', () => {
  test('the metadata, also with discovery of OAuth 2.0 alone', async () => {
    const config = await discovery(new URL(issuer), web.client_id, undefined, None(), {
      algorithm: 'oauth2',
      execute: [allowInsecureRequests],
    });
    expect(config.serverMetadata().supportsPKCE()).toBe(true);
    expect((await signIn(config)).tokens.claims()?.sub).toBe(ada.uid);
  });

  test('iss of the authorization response: refuses a missing and a wrong one', async () => {
    const config = await discover(web, None());
    const { url, checks } = await begin(config);
    const { url: landed } = await scene.userAgent().open(url);
    const [missing, wrong] = [new URL(landed), new URL(landed)];
    missing.searchParams.delete('iss');
    wrong.searchParams.set('iss', 'https://attacker.example.com');
    for (const forged of [missing, wrong])
      await expect(authorizationCodeGrant(config, forged, checks)).rejects.toThrow(/response/);
    // Neither attempt used the code.
    const tokens = await authorizationCodeGrant(config, landed, checks);
    expect(tokens.claims()?.sub).toBe(ada.uid);
  });

  test.each([
    ['expectedState', 'invalid response encountered'],
    ['expectedNonce', 'unexpected JWT claim value encountered'],
    ['pkceCodeVerifier', 'server responded with an error in the response body'],
  ] as const)('refuses a wrong %s', async (name, refusal) => {
    const config = await discover(web, None());
    const { url, checks } = await begin(config);
    const { url: landed } = await scene.userAgent().open(url);
    const others = { ...checks, [name]: randomPKCECodeVerifier() };
    await expect(authorizationCodeGrant(config, landed, others)).rejects.toThrow(refusal);
  });

  test('max_age and auth_time', async () => {
    const config = await discover(web, None());
    const { url, checks } = await begin(config, { max_age: '60' });
    const { url: landed } = await scene.userAgent().open(url);
    const tokens = await authorizationCodeGrant(config, landed, { ...checks, maxAge: 60 });
    expect(tokens.claims()?.auth_time).toEqual(expect.any(Number));
  });

  test('an error response is an error of the library, with its code', async () => {
    const config = await discover(web, None());
    const { url, checks } = await begin(config, { prompt: 'none' });
    const { url: landed } = await scene.userAgent().open(url);
    const failed = authorizationCodeGrant(config, landed, checks);
    await expect(failed).rejects.toMatchObject({ error: 'login_required' });
  });

  test('a wrong client secret is a 401', async () => {
    const config = await discover(backend, ClientSecretBasic('x'));
    await expect(signIn(config)).rejects.toMatchObject({ status: 401 });
    const posting = await discover(backend, ClientSecretPost('x'));
    await expect(signIn(posting)).rejects.toMatchObject({ status: 401 });
  });
});

import {
  ErrorResponse,
  type INavigator,
  InMemoryWebStorage,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { afterEach, expect, test } from 'vitest';
import { callback, loggedOut, openidScene, type UserAgent } from '../support/openid-scene.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const scene = await openidScene(world);
const { issuer, web, ada } = scene;
const managers: UserManager[] = [];
// The library's timers wait for tokens to expire.
afterEach(() => {
  for (const manager of managers.splice(0)) manager.stopSilentRenew();
});

/** A single-page app in a browser, which follows the library's navigation. */
function openApp(agent: UserAgent, settings: Partial<UserManagerSettings> = {}) {
  const window = { at: '', pages: [] as string[] };
  const navigator: INavigator = {
    prepare: async () => ({
      async navigate({ url }) {
        const landed = await agent.open(url);
        Object.assign(window, { at: landed.url.href, pages: landed.pages });
        return { url: landed.url.href };
      },
      close() {},
    }),
    callback: async () => {},
  };
  const store = () => new WebStorageStateStore({ store: new InMemoryWebStorage() });
  const manager = new UserManager(
    {
      ...{ authority: issuer, client_id: web.client_id, redirect_uri: callback },
      ...{ post_logout_redirect_uri: loggedOut, scope: 'openid email profile' },
      ...{ userStore: store(), stateStore: store(), ...settings },
    },
    ...[navigator, navigator, navigator],
  );
  managers.push(manager);
  return { manager, window };
}

test('signs in by a redirect, with PKCE, and gets the claims of the user', async () => {
  const { manager, window } = openApp(scene.userAgent(), { loadUserInfo: true });
  await manager.signinRedirect({ state: { page: 3 } });
  expect(window.at).toMatch(
    /^https:\/\/app\.example\.com\/callback\?code=[\w-]{43}&state=\w+&iss=/,
  );
  const user = await manager.signinCallback(window.at);
  expect(user?.profile).toMatchObject({ sub: ada.uid, email: ada.email, name: 'Ada' });
  expect(user).toMatchObject({ expired: false, state: { page: 3 }, token_type: 'Bearer' });
  expect(user?.scopes).toEqual(['openid', 'email', 'profile']);
  expect(window.pages).toEqual(['sign-in']);
});

test('renews the tokens by the refresh token, without a page', async () => {
  const { manager, window } = openApp(scene.userAgent());
  await manager.signinRedirect();
  const first = await manager.signinCallback(window.at);
  window.at = 'nowhere';
  const renewed = await manager.signinSilent();
  expect(window.at).toBe('nowhere');
  expect(renewed?.access_token).not.toBe(first?.access_token);
  expect(renewed?.refresh_token).not.toBe(first?.refresh_token);
  expect(renewed?.profile.sub).toBe(ada.uid);
  const bearer = `Bearer ${renewed?.access_token}`;
  expect((await world.call('GET', '/userinfo', bearer)).status).toBe(200);
});

test('renews the tokens by prompt=none without a refresh token, as in an iframe', async () => {
  const agent = scene.userAgent();
  const first = openApp(agent);
  await first.manager.signinRedirect();
  await first.manager.signinCallback(first.window.at);
  const second = openApp(agent, { silent_redirect_uri: callback });
  const user = await second.manager.signinSilent();
  expect(user?.profile.sub).toBe(ada.uid);
  expect(second.window.pages).toEqual([]);
});

test('prompt=none in a browser without a session fails with login_required', async () => {
  const { manager } = openApp(scene.userAgent(), { silent_redirect_uri: callback });
  const failure = await manager.signinSilent().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ErrorResponse);
  expect(failure).toMatchObject({ error: 'login_required' });
});

test('signs out by a redirect, which ends the session of the browser too', async () => {
  const agent = scene.userAgent();
  const { manager, window } = openApp(agent);
  await manager.signinRedirect();
  const user = await manager.signinCallback(window.at);
  await manager.signoutRedirect({ state: 'then' });
  expect(window.at).toMatch(/^https:\/\/app\.example\.com\/bye\?state=\w+$/);
  const response = await manager.signoutCallback(window.at);
  expect(response).toMatchObject({ userState: 'then' });
  expect(await manager.getUser()).toBeNull();
  expect((await world.call('GET', '/userinfo', `Bearer ${user?.access_token}`)).status).toBe(401);
  const again = openApp(agent, { silent_redirect_uri: callback });
  await expect(again.manager.signinSilent()).rejects.toMatchObject({ error: 'login_required' });
});

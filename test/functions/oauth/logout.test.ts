import { describe, expect, test, vi } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectProblem } from '../../support/expectations.ts';
import { cookiesSet } from '../../support/hosted-pages.ts';
import { oauthScene, redirected } from '../../support/oauth.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const scene = await oauthScene(world);
const { project_id, web, server, logout, tokens } = scene;
const pages = `${world.url}/pages/${project_id}`;
const post_logout_redirect_uri = 'https://app.example.com/bye';

const mine = async ({ access_token }: { access_token: string }) =>
  (await world.as(`Bearer ${access_token}`).users.getMe()).status;

test('302 to the client with its state; ends the session of the token and that of the browser', async () => {
  const ada = await scene.visitor();
  const [ending, other] = [await tokens(ada), await tokens(ada)];
  const { id_token: id_token_hint } = ending;
  const answer = await logout(
    { id_token_hint, post_logout_redirect_uri, state: 'a&b' },
    ada.cookie,
  );
  expect(answer.status).toBe(302);
  expect(redirected(answer).location).toBe(`${post_logout_redirect_uri}?state=a%26b`);
  expect(cookiesSet(answer)[`session-${project_id}`]).toMatchObject({
    value: '',
    attributes: expect.arrayContaining(['Max-Age=0']),
  });
  expect([await mine(ending), await mine(ada), await mine(other)]).toEqual([401, 401, 200]);
});

test('a newly registered URI or client is accepted immediately', async () => {
  const own = await oauthScene(world);
  const added = 'https://app.example.com/added';
  const leave = async ({ client_id } = own.web) =>
    redirected(await own.logout({ client_id, post_logout_redirect_uri: added })).to;
  expect(await leave()).toMatch(/signed-out$/);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
  const web2 = { ...own.web, post_logout_redirect_uris: [added] };
  await own.set({ oauth_clients: [web2] });
  expect(await leave()).toBe(added);
  vi.setSystemTime(Date.now() + 2_000);
  const other = { ...web2, client_id: `${own.project_id}.other` };
  await own.set({ oauth_clients: [other] });
  expect(await leave(other)).toBe(added);
});

describe('the longest possible ID token', () => {
  const longestState = async () => {
    const ada = await scene.visitor({
      email: `${'a'.repeat(64)}@${Array.from({ length: 3 }, () => 'b'.repeat(57)).join('.')}.example`,
      display_name: '😀'.repeat(limits.name),
      thumbnail_url: `https://x.example/${'p'.repeat(limits.url - 18)}`,
    });
    const nonce = 'n'.repeat(limits.oauthParameter);
    const given = await tokens(ada, web, { nonce });
    return { ada, nonce, given, id_token_hint: given.id_token };
  };

  test('ends the session of the token and that of the browser', async () => {
    const { ada, given, id_token_hint } = await longestState();
    expect(id_token_hint.length).toBeGreaterThan(limits.longOauthParameter);
    const state = 's'.repeat(limits.longOauthParameter);
    const answer = await logout({ id_token_hint, post_logout_redirect_uri, state }, ada.cookie);
    expect(answer.status).toBe(302);
    expect(redirected(answer).to).toBe(post_logout_redirect_uri);
    expect([await mine(given), await mine(ada)]).toEqual([401, 401]);
  });

  test('is accepted as id_token_hint at /authorize, and passed to the sign-in page', async () => {
    const { ada, nonce, id_token_hint } = await longestState();
    const { fields } = scene.request(web, { nonce, id_token_hint });
    expect(redirected(await scene.authorize(fields, ada.cookie)).given).toHaveProperty('code');
    const page = await scene.authorize(fields);
    expect(page.status).toBe(302);
    expect(redirected(page).to).toBe(`${pages}/sign-in`);
    expect(redirected(page).given['id_token_hint']).toBe(id_token_hint);
  });

  test('omits a long picture, which UserInfo returns', async () => {
    const { given, id_token_hint } = await longestState();
    expect(claimsOf(id_token_hint)).not.toHaveProperty('picture');
    const { body } = await world.call({
      method: 'GET',
      path: '/userinfo',
      auth: `Bearer ${given.access_token}`,
    });
    expect(body.picture).toHaveLength(limits.url);
    const picture = `https://x.example/${'p'.repeat(limits.idTokenPicture - 18)}`;
    const bob = await scene.visitor({ thumbnail_url: picture });
    expect(claimsOf((await tokens(bob)).id_token)).toMatchObject({ picture });
  });
});

test('an old ID token is accepted, even if its session has ended', async () => {
  const ada = await scene.visitor();
  const { id_token: id_token_hint, access_token } = await tokens(ada);
  await world.as(`Bearer ${access_token}`).sessions.signOut();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 86_400_000 });
  const answer = await logout({ id_token_hint, post_logout_redirect_uri }, ada.cookie);
  expect(redirected(answer).location).toBe(post_logout_redirect_uri);
  expect(cookiesSet(answer)).toHaveProperty(`session-${project_id}`);
});

test('the browser of another user stays signed in', async () => {
  const [ada, bob] = [await scene.visitor(), await scene.visitor()];
  const of = await tokens(ada);
  const answer = await logout({ id_token_hint: of.id_token }, bob.cookie);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect([await mine(of), await mine(bob), await mine(ada)]).toEqual([401, 200, 200]);
});

test('an ID token of a deleted user is accepted', async () => {
  const ada = await scene.visitor();
  const { id_token: id_token_hint } = await tokens(ada);
  await world.as(scene.project).users.delete({ uid: ada.uid });
  const answer = await logout({ id_token_hint, post_logout_redirect_uri }, ada.cookie);
  expect(redirected(answer).location).toBe(post_logout_redirect_uri);
});

test('without a token, the sign-out page asks the user first, with the same query, and no session ends', async () => {
  const ada = await scene.visitor();
  const fields = { client_id: web.client_id, post_logout_redirect_uri, state: 'x' };
  const answer = await logout(fields, ada.cookie);
  expect(redirected(answer)).toMatchObject({ to: `${pages}/sign-out`, given: fields });
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await mine(ada)).toBe(200);
});

test('an ID token of another client is ignored', async () => {
  const ada = await scene.visitor();
  const of = await tokens(ada);
  const fields = { id_token_hint: of.id_token, client_id: server.client_id };
  expect(redirected(await logout(fields, ada.cookie)).to).toBe(`${pages}/sign-out`);
  expect([await mine(of), await mine(ada)]).toEqual([200, 200]);
});

test('400 if neither a token nor client_id names a client', async () => {
  for (const fields of [{}, { client_id: 'nowhere.web' }, { id_token_hint: 'x' }])
    expectProblem(await logout(fields), 'invalid_request');
});

test('for a deleted client, a browser that is signed in to its project is redirected to the sign-out page', async () => {
  const [own, elsewhere] = [await oauthScene(world), await oauthScene(world)];
  const [ada, other] = [await own.visitor(), await elsewhere.visitor()];
  const { id_token: id_token_hint } = await own.tokens(ada);
  await own.set({ oauth_clients: [own.native] });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  const page = `${world.url}/pages/${own.project_id}/sign-out`;
  const { client_id } = own.web;
  for (const named of [{ id_token_hint }, { client_id }])
    for (const cookie of [ada.cookie, `${other.cookie}; ${ada.cookie}`]) {
      const fields = { ...named, post_logout_redirect_uri, state: 'x', ui_locales: 'de' };
      const answer = await logout(fields, cookie);
      expect(redirected(answer).location).toBe(`${page}?ui_locales=de`);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  expect(await mine(ada)).toBe(200);
  expectProblem(await logout({ client_id }), 'invalid_request');
  expectProblem(await logout({ client_id }, other.cookie), 'invalid_request');
  const unknown = await logout({ client_id: 'nowhere.web' }, ada.cookie);
  expect(redirected(unknown).location).toBe(page);
});

test('without a client, a browser that is signed in to one project only is redirected to its sign-out page', async () => {
  const [ada, elsewhere] = [await scene.visitor(), await oauthScene(world)];
  const other = await elsewhere.visitor();
  const fields = { post_logout_redirect_uri, state: 'x', ui_locales: 'de' };
  const answer = await logout(fields, ada.cookie);
  expect(redirected(answer).location).toBe(`${pages}/sign-out?ui_locales=de`);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await mine(ada)).toBe(200);
  const { project_id: other_id } = elsewhere;
  for (const cookie of [
    `${ada.cookie}; ${other.cookie}`,
    `session-${project_id}=x`,
    `session-${other_id}=${ada.refresh_token}`,
    'session-=x',
    'session-No Project=x',
  ])
    expectProblem(await logout(fields, cookie), 'invalid_request');
  await elsewhere.set({ hosted_pages: false });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expectProblem(await logout(fields, other.cookie), 'invalid_request');
});

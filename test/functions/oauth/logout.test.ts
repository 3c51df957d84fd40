import { expect, test, vi } from 'vitest';
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

test('302 to the client with its state; the session of the token and that of the browser have ended', async () => {
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

test('302 to the page without an address, or with one that the client has not registered', async () => {
  const ada = await scene.visitor();
  for (const uri of [undefined, 'https://app.example.com/', `${post_logout_redirect_uri}?x`]) {
    const { id_token: id_token_hint } = await tokens({
      ...ada,
      cookie: await scene.keep(await world.session(ada.uid, scene.project)),
    });
    const answer = await logout({ id_token_hint, post_logout_redirect_uri: uri, state: 's' });
    expect(redirected(answer).location).toBe(`${pages}/signed-out`);
  }
});

test('a token of long ago is good, also when its session is over', async () => {
  const ada = await scene.visitor();
  const { id_token: id_token_hint, access_token } = await tokens(ada);
  await world.as(`Bearer ${access_token}`).sessions.signOut();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 86_400_000 });
  const answer = await logout({ id_token_hint, post_logout_redirect_uri }, ada.cookie);
  expect(redirected(answer).location).toBe(post_logout_redirect_uri);
  expect(cookiesSet(answer)).toHaveProperty(`session-${project_id}`);
  vi.useRealTimers();
});

test('the browser of another user stays signed in', async () => {
  const [ada, bob] = [await scene.visitor(), await scene.visitor()];
  const of = await tokens(ada);
  const answer = await logout({ id_token_hint: of.id_token }, bob.cookie);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect([await mine(of), await mine(bob), await mine(ada)]).toEqual([401, 200, 200]);
});

test('of a user who was deleted meanwhile', async () => {
  const ada = await scene.visitor();
  const { id_token: id_token_hint } = await tokens(ada);
  await world.as(scene.project).users.delete({ uid: ada.uid });
  const answer = await logout({ id_token_hint, post_logout_redirect_uri }, ada.cookie);
  expect(redirected(answer).location).toBe(post_logout_redirect_uri);
});

test('without a token a page asks first, with the same query, and nothing has ended', async () => {
  const ada = await scene.visitor();
  const asked = { client_id: web.client_id, post_logout_redirect_uri, state: 'x' };
  const answer = await logout(asked, ada.cookie);
  expect(redirected(answer)).toMatchObject({ to: `${pages}/sign-out`, given: asked });
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await mine(ada)).toBe(200);
});

test('a browser without a session is sent on at once', async () => {
  const asked = { client_id: web.client_id, post_logout_redirect_uri, state: 'x' };
  expect(redirected(await logout(asked)).location).toBe(`${post_logout_redirect_uri}?state=x`);
});

test('a token of another client is none', async () => {
  const ada = await scene.visitor();
  const of = await tokens(ada);
  const asked = { id_token_hint: of.id_token, client_id: server.client_id };
  expect(redirected(await logout(asked, ada.cookie)).to).toBe(`${pages}/sign-out`);
  expect([await mine(of), await mine(ada)]).toEqual([200, 200]);
});

test('400 if neither names a client', async () => {
  for (const asked of [{}, { client_id: 'nowhere.web' }, { id_token_hint: 'x' }])
    expectProblem(await logout(asked), 'invalid_request');
});

test('without a client the page of the one project that the browser is signed in to asks', async () => {
  const [ada, elsewhere] = [await scene.visitor(), await oauthScene(world)];
  const other = await elsewhere.visitor();
  const asked = { post_logout_redirect_uri, state: 'x', ui_locales: 'de' };
  const answer = await logout(asked, ada.cookie);
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
    expectProblem(await logout(asked, cookie), 'invalid_request');
  await elsewhere.set({ hosted_pages: false });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expectProblem(await logout(asked, other.cookie), 'invalid_request');
  vi.useRealTimers();
});

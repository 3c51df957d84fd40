import { expect, test } from 'vitest';
import { oauthScene } from '../../support/oauth.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const scene = await oauthScene(world);
const ada = await scene.visitor({
  display_name: 'Ada',
  preferred_username: 'ada',
  profile_url: 'https://example.com/ada',
});
const userinfo = (token: string) => world.call('GET', '/userinfo', `Bearer ${token}`);
const email = { email: ada.email, email_verified: true };
const profile = {
  name: 'Ada',
  preferred_username: 'ada',
  profile: 'https://example.com/ada',
};

test.each([
  ['openid email profile', { ...email, ...profile }],
  ['openid email', email],
  ['openid profile', profile],
  ['openid', {}],
  ['', {}],
])('200 with the claims of the granted scope "%s"', async (scope, claims) => {
  const { access_token } = await scene.tokens(ada, scene.web, { scope });
  const { status, body } = await userinfo(access_token);
  expect([status, body]).toEqual([200, { sub: ada.uid, ...claims }]);
});

test("200 with every claim for the user's own session", async () => {
  const { body } = await userinfo(ada.access_token);
  expect(body).toEqual({ sub: ada.uid, ...email, ...profile });
});

test('200 with the current profile, not that of the sign-in', async () => {
  const bob = await scene.visitor();
  const { access_token } = await scene.tokens(bob);
  await world.as(bob).users.update({ uid: bob.uid, display_name: 'Bob' });
  expect((await userinfo(access_token)).body.name).toBe('Bob');
});

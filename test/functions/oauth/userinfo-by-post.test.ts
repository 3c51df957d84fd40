import { expect, test } from 'vitest';
import { oauthScene } from '../../support/oauth.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const scene = await oauthScene(world);

test('200 with the same response as GET, whatever the body is', async () => {
  const { access_token } = await scene.tokens(await scene.visitor());
  const auth = `Bearer ${access_token}`;
  const { body } = await world.call('GET', '/userinfo', auth);
  for (const given of [undefined, 'access_token=x'])
    expect(await world.call('POST', '/userinfo', auth, given)).toMatchObject({ status: 200, body });
});

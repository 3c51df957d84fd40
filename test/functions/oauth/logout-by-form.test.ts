import { expect, test } from 'vitest';
import { oauthScene, redirected } from '../../support/oauth.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { form, web } = await oauthScene(world);

test('303 to GET with the same parameters, so that the browser adds its cookie', async () => {
  const asked = { client_id: web.client_id, state: 'a b&c=d' };
  const answer = await form('/logout', { ...asked, unknown: 'x' });
  expect(answer.status).toBe(303);
  expect(redirected(answer)).toMatchObject({ to: `${world.url}/logout`, given: asked });
});

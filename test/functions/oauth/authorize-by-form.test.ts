import { expect, test } from 'vitest';
import { oauthScene, redirected } from '../../support/oauth.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { form, request } = await oauthScene(world);

test('303 to GET with the same parameters, so that the browser adds its cookie', async () => {
  const { fields } = request(undefined, { state: 'a b&c=d' });
  const answer = await form('/authorize', { ...fields, unknown: 'x' });
  expect(answer.status).toBe(303);
  expect(redirected(answer)).toMatchObject({ to: `${world.url}/authorize` });
  expect(redirected(answer).given).toEqual(fields);
});

test('303 without parameters, so that GET reports what is missing', async () => {
  expect(redirected(await form('/authorize', {})).location).toBe(`${world.url}/authorize`);
});

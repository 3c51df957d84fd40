import { expect, test } from 'vitest';
import { keepingProject, refreshesOf, signedInThere } from '../../support/kept-tokens.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await keepingProject(world, 'oidc');

test('200 with the same token that the user gets, after one refresh', async () => {
  const ada = await signedInThere(world, ours, { behave: { expires_in: 0 } });
  const { status, body, headers } = await ada.byBackend();
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await ada.token()).body).toEqual(body);
  expect(refreshesOf(ours.standIn)).toHaveLength(1);
});

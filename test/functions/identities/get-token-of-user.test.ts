import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { keepingProject, refreshesOf, signedInThere } from '../../support/kept-tokens.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await keepingProject(world, 'oidc');
afterAll(() => ours.standIn.close());

test('200 with the same token that the user gets, after one refresh', async () => {
  const ada = await signedInThere(world, ours, { behave: { expires_in: 0 } });
  const { status, body, headers } = await ada.byBackend();
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await ada.token()).body).toEqual(body);
  expect(refreshesOf(ours.standIn)).toHaveLength(1);
});

test('404 for a user of another project and for an unknown user', async () => {
  const ada = await signedInThere(world, ours);
  const other = await keepingProject(world, 'oidc');
  expectProblem(await ada.byBackend(other.project.basic), 'not_found');
  const path = `/users/${randomUUID()}/identities/${ours.name}/token`;
  expectProblem(await world.call({ method: 'GET', path, auth: ours.project.basic }), 'not_found');
  await other.standIn.close();
});

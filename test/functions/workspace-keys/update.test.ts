import { expect, test } from 'vitest';
import { workspaceKey } from '../../support/api-keys.ts';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 a manager renames the key; 404 for a key of another workspace', async () => {
  const [place, other] = [await world.workspace(), await world.workspace()];
  const { workspace_id } = place;
  const admin = await world.member(place, 'admin');
  const { key_id } = await workspaceKey(world, place);
  const renamed = await world.as(admin).workspaceKeys.update({ workspace_id, key_id, name: 'new' });
  expect([renamed.status, renamed.body]).toMatchObject([200, { key_id, name: 'new' }]);
  const elsewhere = { workspace_id: other.workspace_id, key_id, name: 'mine' };
  expectProblem(await world.as(other.owner).workspaceKeys.update(elsewhere), 'not_found');
});

test('200 the backend changes metadata, which a manager reads; 403 for a plain member', async () => {
  const place = await world.workspace();
  const { workspace_id } = place;
  const { key_id } = await workspaceKey(world, place, { metadata: { team: 'a' } });
  const metadata = { team: 'b' };
  const change = (by: string) =>
    world.as(by).workspaceKeys.update({ workspace_id, key_id, metadata });
  expect((await change(world.project.basic)).body).toMatchObject({ name: 'CI', metadata });
  const [key] = (await world.as(place.owner).workspaceKeys.list({ workspace_id })).body.result;
  expect(key).toMatchObject({ key_id, metadata });
  expectProblem(await change((await world.member(place)).bearer), 'forbidden');
});

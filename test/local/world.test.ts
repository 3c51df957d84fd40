import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

const world = await startWorld();

test('the world serves every maker over real HTTP and enforces the grants', async () => {
  const owner = await world.user({ verified: true });
  expect(await world.call('GET', '/users/me', owner.bearer)).toMatchObject({
    status: 200,
    body: { uid: owner.uid, verified: { email: true } },
  });
  const workspace = await world.workspace({ owner });
  const admin = await world.member(workspace, 'admin');
  await world.invited(workspace);
  const members = await world.call({
    method: 'GET',
    path: `/workspaces/${workspace.workspace_id}/users`,
    auth: world.project.basic,
    query: { status: 'accepted' },
  });
  expect(members.body).toMatchObject({ total: 2, count: 2 });
  await world.call('PUT', `/users/${admin.uid}`, admin.bearer, { display_name: 'Ada' });
  await world.drainStream();
  const [item] = await world.table.query(`WS#${workspace.workspace_id}`, `MEMBER#${admin.uid}`);
  expect(item?.['profile']).toContain('"Ada"');
  expect(world.permissions.used.get('stream.consume')).toContain('stream');
  const other = await world.newProject();
  expect((await world.call('GET', `/users/${owner.uid}`, other.basic)).status).toBe(404);
});

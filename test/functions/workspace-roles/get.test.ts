import { expect, test } from 'vitest';
import { ownRoleTools } from '../../support/own-roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;
const { project, workspace, define, defineOwn } = await ownRoleTools(world);

test('200 for every member and the backend, with an entity tag', async () => {
  const place = await workspace();
  const { workspace_id } = place;
  const role = await defineOwn(workspace_id, 'ws-editor', ['event:list']);
  for (const by of [project, place.owner, await world.member(place)]) {
    const { status, body, headers } = await as(by).workspaceRoles.get({ workspace_id, role });
    expect([status, body.permissions]).toEqual([200, ['event:list']]);
    expect(headers.get('etag')).toMatch(/^"/);
  }
});

test('the list of roles has them last, marked as own, with assignable for the caller', async () => {
  const place = await workspace();
  const { workspace_id } = place;
  await define('clerk', ['invoice:read']);
  await defineOwn(workspace_id, 'ws-b', ['event:list']);
  await defineOwn(workspace_id, 'ws-a', ['invoice:read']);
  const listed = async (by: Parameters<typeof as>[0]) => {
    const { body } = await as(by).roles.listOfWorkspace({ workspace_id });
    return (body.result as { role: string; own: boolean; assignable: boolean }[]).map(
      ({ role, own, assignable }) => [role, own, assignable],
    );
  };
  expect(await listed(place.owner)).toEqual([
    ...[
      ['admin', false, true],
      ['member', false, true],
      ['clerk', false, true],
    ],
    ...[
      ['ws-a', true, true],
      ['ws-b', true, true],
    ],
  ]);
  const admin = await listed(await world.member(place, 'admin'));
  expect(admin.slice(-2)).toEqual([
    ['ws-a', true, false],
    ['ws-b', true, true],
  ]);
});

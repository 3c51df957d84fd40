import { expect, test } from 'vitest';
import { userKey } from '../../support/api-keys.ts';
import { aTime } from '../../support/expectations.ts';
import { ownRoleTools } from '../../support/own-roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const update = (workspace_id: string, auth: string, body: object) =>
  as(auth).workspaces.update({ workspace_id, ...body });
const read = async (workspace_id: string) =>
  (await as(project).workspaces.get({ workspace_id })).body;

test('200 sets the logo, the name and the description, and refreshes modified_at', async () => {
  const { workspace_id } = await world.workspace();
  const before = await read(workspace_id);
  const logo = 'https://example.com/logo.png';
  const first = await update(workspace_id, project.basic, { logo });
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ ...before, logo_url: logo, modified_at: aTime() });
  expect(first.body.modified_at > before.modified_at).toBe(true);
  const rest = { name: 'Renamed', description: 'New' };
  const { body } = await update(workspace_id, project.basic, rest);
  expect(body).toEqual({ ...first.body, ...rest, modified_at: aTime() });
  expect(await read(workspace_id)).toEqual(body);
});

test.each([[null], ['']])(
  '200 a logo of %j clears it, as does an empty description',
  async (logo) => {
    const given = { logo: 'https://example.com/logo.png', description: 'Things' };
    const { workspace_id } = await world.workspace(given);
    const { logo_url: _, description: __, ...rest } = await read(workspace_id);
    const { status, body } = await update(workspace_id, project.basic, { logo, description: '' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...rest, modified_at: aTime() });
    expect(await read(workspace_id)).toEqual(body);
  },
);

test("200 for an API key of a member with a role of the project, or of the workspace's own", async () => {
  const tools = await ownRoleTools(world);
  const workspace = await tools.workspace();
  const { workspace_id } = workspace;
  const permissions = ['workspace:update'];
  const roles = [
    await tools.define('renamer', permissions),
    await tools.defineOwn(workspace_id, 'ws-renamer', permissions),
  ];
  for (const role of roles) {
    const { bearer } = await userKey(world, await world.member(workspace, role));
    const { status, body } = await update(workspace_id, bearer, { name: role });
    expect([status, body.name]).toEqual([200, role]);
  }
});

test('200 an empty change returns the workspace', async () => {
  const { workspace_id, owner } = await world.workspace();
  const before = await read(workspace_id);
  for (const auth of [project.basic, owner.bearer]) {
    const { status, body } = await update(workspace_id, auth, {});
    expect([status, body]).toEqual([200, before]);
  }
  expect(await read(workspace_id)).toEqual(before);
});

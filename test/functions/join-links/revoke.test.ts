import { expect, test } from 'vitest';
import { expectInvalid, expectProblem, expectSame, nowhere } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const nothing = 'lnk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a0f';
const create = async (workspace_id: string, auth = project.basic) =>
  (await world.call('POST', `/workspaces/${workspace_id}/join_links`, auth, {})).body;
const revoke = (workspace_id: string, link_id: string, auth = project.basic) =>
  world.call('DELETE', `/workspaces/${workspace_id}/join_links/${link_id}`, auth);
const join = async (workspace_id: string, join_token: string) => {
  const { uid, bearer } = await world.user();
  const body = { workspace_id, user_id: uid, join_token };
  return world.call('POST', '/workspaces/join', bearer, body);
};

test('200 by any manager, once; then nobody joins by it, and another link still works', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { token, url: _, ...link } = await create(workspace_id, owner.bearer);
  const other = await create(workspace_id);
  const admin = await world.member(workspace, 'admin');
  const { status, body } = await revoke(workspace_id, link.link_id, admin.bearer);
  expect([status, body]).toEqual([200, link]);
  expectProblem(await revoke(workspace_id, link.link_id, admin.bearer), 'not_found');
  expectProblem(await join(workspace_id, token), 'join_link_invalid');
  expect((await join(workspace_id, other.token)).status).toBe(201);
  const item = await world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' });
  expect(item).toMatchObject({ join_link_count: 1 });
});

test('the revocation is told, with who did it', async () => {
  const { workspace_id, owner } = await world.workspace();
  const { link_id } = await create(workspace_id);
  await revoke(workspace_id, link_id, owner.bearer);
  expect((await world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' }))?.['events']).toMatchObject(
    [
      {
        type: 'workspace.join_link.revoked',
        data: { link_id, role: 'member' },
        actor: { kind: 'user', id: owner.uid },
      },
    ],
  );
});

test('404 for a link that has expired, of another workspace, and of none', async () => {
  const [one, other] = [await world.workspace(), await world.workspace()];
  const { link_id } = await create(one.workspace_id);
  expectProblem(await revoke(other.workspace_id, link_id), 'not_found');
  expectProblem(await revoke(one.workspace_id, nothing), 'not_found');
  const key = { pk: `WS#${one.workspace_id}`, sk: `LINK#${link_id}` };
  await world.table.update(key, { expires_at: 1 });
  expectProblem(await revoke(one.workspace_id, link_id), 'not_found');
});

test('403 for a plain member, 404 for strangers as for a missing one', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { link_id } = await create(workspace_id);
  const { bearer } = await world.member(workspace);
  expectProblem(await revoke(workspace_id, link_id, bearer), 'forbidden');
  const foreign = await world.newProject();
  for (const auth of [foreign.basic, (await world.user()).bearer]) {
    const answer = await revoke(workspace_id, link_id, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await revoke(nowhere, link_id, auth));
  }
});

test('400 for what is no id of a link', async () => {
  expectInvalid(await revoke(nowhere, 'lnk-1'), '/path/link_id');
});

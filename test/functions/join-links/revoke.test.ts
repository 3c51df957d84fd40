import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const nothing = 'lnk-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a0f';
const create = async (workspace_id: string, auth = project.basic) =>
  (await as(auth).joinLinks.create({ workspace_id })).body;
const revoke = (workspace_id: string, link_id: string, auth = project.basic) =>
  as(auth).joinLinks.revoke({ workspace_id, link_id });
const join = async (workspace_id: string, join_token: string) => {
  const { uid, bearer } = await world.user();
  const body = { workspace_id, user_id: uid, join_token };
  return as(bearer).members.join(body);
};

test('200 for a manager, once, with an event; nobody joins with it from then on, and another link still works', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { token, url: _, ...link } = await create(workspace_id, owner.bearer);
  const other = await create(workspace_id);
  const admin = await world.member(workspace, 'admin');
  const { status, body } = await revoke(workspace_id, link.link_id, admin.bearer);
  expect([status, body]).toEqual([200, link]);
  const item = await world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' });
  expect(item).toMatchObject({
    join_link_count: 1,
    events: [
      {
        type: 'workspace.join_link.revoked',
        data: { link_id: link.link_id, role: 'member' },
        actor: { kind: 'user', id: admin.uid },
      },
    ],
  });
  expectProblem(await revoke(workspace_id, link.link_id, admin.bearer), 'not_found');
  expectProblem(await join(workspace_id, token), 'join_link_invalid');
  expect((await join(workspace_id, other.token)).status).toBe(201);
});

test('404 for an expired link, a link of another workspace and an unknown link', async () => {
  const [one, other] = [await world.workspace(), await world.workspace()];
  const { link_id } = await create(one.workspace_id);
  expectProblem(await revoke(other.workspace_id, link_id), 'not_found');
  expectProblem(await revoke(one.workspace_id, nothing), 'not_found');
  const key = { pk: `WS#${one.workspace_id}`, sk: `LINK#${link_id}` };
  await world.table.update(key, { expires_at: 1 });
  expectProblem(await revoke(one.workspace_id, link_id), 'not_found');
});

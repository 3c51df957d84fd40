import { expect, test } from 'vitest';
import { workspaceKey } from '../support/api-keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { changeNames, changeScene } from '../support/key-changes.ts';

/**
 * Links, requests and API keys that a deletion ended must admit nobody and change nothing, even if the workspace is
 * restored before the write commits.
 */

const { faults, world } = await startFaultyWorld();
const { as, project } = world;

async function place() {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const domain = `${workspace_id}.example`;
  await as(project).domains.set({ workspace_id, domain, mode: 'suggest' });
  const asker = await world.user({ email: `asker@${domain}`, verified: true });
  await as(asker).joinRequests.create({ workspace_id });
  const { body: link } = await as(owner).joinLinks.create({ workspace_id });
  return { workspace_id, owner, asker, link };
}

/** Deletes and restores the workspace just before the next transaction. */
function endMeanwhile(workspace_id: string): void {
  faults.beforeWrite(async () => {
    const { workspaces } = as(project);
    expect((await workspaces.delete({ workspace_id })).status).toBe(200);
    expect((await workspaces.restore({ workspace_id })).status).toBe(200);
  });
}

test('a join link admits no user', async () => {
  const { workspace_id, link } = await place();
  const { uid: user_id, bearer } = await world.user();
  endMeanwhile(workspace_id);
  const join = { workspace_id, user_id, join_token: link.token };
  expectProblem(await as(bearer).members.join(join), 'join_link_invalid');
});

test('a join request cannot be approved', async () => {
  const { workspace_id, owner, asker } = await place();
  endMeanwhile(workspace_id);
  const approve = { workspace_id, user_id: asker.uid };
  expectProblem(await as(owner).joinRequests.approve(approve), 'not_found');
});

test('a join request does not let a member add the user directly', async () => {
  const { workspace_id, owner, asker } = await place();
  endMeanwhile(workspace_id);
  const add = { workspace_id, user_id: asker.uid, role: 'member' };
  const { status, body } = await as(owner).members.add(add);
  expect([status, body.status]).toEqual([201, 'pending']);
});

test.each(changeNames)('an API key that %s gets 404, and nothing is written', async (change) => {
  const { workspace, requests } = await changeScene(world);
  const { workspace_id } = workspace;
  const { bearer } = await workspaceKey(world, workspace, { role: 'admin' });
  const contents = async () =>
    (await world.table.query(`WS#${workspace_id}`)).filter(({ sk }) => sk !== 'WS');
  const before = await contents();
  endMeanwhile(workspace_id);
  expectProblem(await requests(bearer, 'admin')[change](), 'not_found');
  expect(await contents()).toEqual(before);
  const { body } = await as(project).workspaces.get({ workspace_id });
  expect([body.name, body.total_member_count]).toEqual([workspace.name, 3]);
});

test('an API key cannot be rotated by its owner', async () => {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const { key_id } = await workspaceKey(world, workspace);
  endMeanwhile(workspace_id);
  expectProblem(await as(owner).workspaceKeys.rotate({ workspace_id, key_id }), 'not_found');
});

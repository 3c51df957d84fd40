import { expect, test } from 'vitest';
import {
  aWorkspace,
  expectInvalid,
  expectProblem,
  expectSame,
  nowhere,
} from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const get = (workspace_id: string, auth?: string) =>
  world.call('GET', `/workspaces/${workspace_id}`, auth);

test('200 for the back end, the owner, an admin and a member, and for all the same', async () => {
  const workspace = await world.workspace({ name: 'Acme', description: 'Things' });
  const admin = await world.member(workspace, 'admin');
  const member = await world.member(workspace);
  const { workspace_id, owner } = workspace;
  const { status, body } = await get(workspace_id, project.basic);
  expect(status).toBe(200);
  expect(body).toEqual(
    aWorkspace(owner.user, { workspace_id, description: 'Things', total_member_count: 3 }),
  );
  for (const { bearer } of [owner, admin, member])
    expect((await get(workspace_id, bearer)).body).toEqual(body);
});

test('404 for a stranger, an invited person, and everyone of another project: the very answer of a missing one', async () => {
  const workspace = await world.workspace();
  const foreign = await world.newProject();
  const callers = [
    await world.user(),
    await world.invited(workspace, 'admin'),
    await world.user({ project: foreign, email: workspace.owner_email }),
  ].map(({ bearer }) => bearer);
  for (const auth of [...callers, foreign.basic]) {
    const answer = await get(workspace.workspace_id, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await get(nowhere, auth));
  }
});

test('400 for what is no id of a workspace', async () => {
  const { workspace_id } = await world.workspace();
  for (const id of [workspace_id.slice(4), workspace_id.toUpperCase(), `${workspace_id}0`, 'x'])
    expectInvalid(await get(id, project.basic), '/path/workspace_id');
});

test('401 without a credential', async () => {
  const { workspace_id } = await world.workspace();
  expectSame(await get(workspace_id), await get(nowhere));
  expectProblem(await get(workspace_id), 'unauthenticated');
});

import { expect, test } from 'vitest';
import { keys } from '#shared/table/shape.ts';
import { unknownCount } from '#shared/table/expressions.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { table, call } = world;
const { basic } = world.project;
const remove = ({ uid }: Person) => call('DELETE', `/users/${uid}`, basic);
const countsOf = async ({ uid }: Person) => {
  const { workspace_count, owned_workspace_count } = (await table.get(keys.user(uid))) ?? {};
  return [workspace_count, owned_workspace_count];
};

/** As users lie there who are older than the counts. */
const uncount = ({ uid }: Person) =>
  table.update(keys.user(uid), { workspace_count: undefined, owned_workspace_count: undefined });

test('a new user counts nothing, and is known to', async () => {
  expect(await countsOf(await world.user())).toEqual([0, 0]);
});

test('nobody is deleted before they were modified last, whatever the clock of another machine said', async () => {
  const ada = await world.user();
  const modified_at = '2999-01-01T00:00:00.000Z';
  await table.update(keys.user(ada.uid), { modified_at });
  const { status, body } = await remove(ada);
  const receipt = { uid: ada.uid, project_id: world.project.project_id, deleted_at: modified_at };
  expect([status, body]).toEqual([200, receipt]);
});

test('whom nobody counted stays uncounted, however much comes and goes', async () => {
  const owner = await world.user();
  const first = await world.workspace({ owner });
  await uncount(owner);
  await world.workspace({ owner });
  expect(await countsOf(owner)).toEqual([unknownCount + 1, unknownCount + 1]);
  await call('DELETE', `/workspaces/${first.workspace_id}`, basic);
  expect(await countsOf(owner)).toEqual([unknownCount + 1, unknownCount]);
  await world.drainStream();
  expect(await countsOf(owner)).toEqual([unknownCount, unknownCount]);
  await call('POST', `/workspaces/${first.workspace_id}/restore`, basic);
  await world.drainStream();
  expect(await countsOf(owner)).toEqual([unknownCount + 1, unknownCount + 1]);
});

test.each([
  ['counted by nobody', 0],
  ['counted since', 1],
])('a user who is %s is not deleted while others are in what they own', async (_, since) => {
  const owner = await world.user();
  const shared = await world.workspace({ owner });
  const alone = await world.workspace({ owner });
  await world.member(shared);
  await uncount(owner);
  const later: string[] = [];
  for (let i = 0; i < since; i += 1) later.push((await world.workspace({ owner })).workspace_id);
  const { workspace_id } = shared;
  expectProblem(await remove(owner), 'owns_workspaces', { workspace_ids: [workspace_id] });
  const admin = await world.member(shared, 'admin');
  await call('POST', `/workspaces/${workspace_id}/ownership`, basic, { user_id: admin.uid });
  expect((await remove(owner)).status).toBe(200);
  expect(await countsOf(owner)).toEqual([2 + since, 0]);
  await world.drainStream();
  expect(await table.get(keys.user(owner.uid))).toMatchObject({
    workspace_count: 0,
    completed_at: aTime(),
  });
  for (const id of [alone.workspace_id, ...later])
    expect((await table.get(keys.workspace(id)))?.['deleted_at']).toEqual(aTime());
  const { body } = await call('GET', `/workspaces/${workspace_id}`, basic);
  expect([body.owner_id, body.total_member_count]).toEqual([admin.uid, 2]);
});

test('a workspace that the index hid while its uncounted owner was deleted goes with their membership', async () => {
  const owner = await world.user();
  const { workspace_id } = await world.workspace({ owner });
  const member = await world.member({ workspace_id, owner });
  await uncount(owner);
  const membership = await table.get(keys.member(workspace_id, owner.uid));
  await table.update(keys.member(workspace_id, owner.uid), { by_member_pk: 'LATE' });
  expect((await remove(owner)).status).toBe(200);
  await table.put(membership ?? {});
  await world.drainStream();
  const meta = await table.get(keys.workspace(workspace_id));
  expect(meta).toMatchObject({ deleted_at: aTime(), owner_email: '', total_member_count: 1 });
  expect(meta?.['events']).toMatchObject([
    { type: 'workspace.member.removed' },
    { type: 'workspace.deleted' },
  ]);
  expect(await countsOf(member)).toEqual([0, 0]);
});

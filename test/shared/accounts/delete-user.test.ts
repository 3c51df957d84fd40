/** @module-tag engine */
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { table, project } = world;
const { users, ownership, workspaces } = world.as(project);
const countsOf = async ({ uid }: Person) => {
  const { workspace_count, owned_workspace_count } = (await table.get(keys.user(uid))) ?? {};
  return [workspace_count, owned_workspace_count];
};

test('a new user has no workspaces in their counts', async () => {
  expect(await countsOf(await world.user())).toEqual([0, 0]);
});

test('deleted_at is never before modified_at, even with a clock that is behind', async () => {
  const ada = await world.user();
  const modified_at = '2999-01-01T00:00:00.000Z';
  await table.update(keys.user(ada.uid), { modified_at });
  const { status, body } = await users.delete({ uid: ada.uid });
  const receipt = { uid: ada.uid, project_id: project.project_id, deleted_at: modified_at };
  expect([status, body]).toEqual([200, receipt]);
});

test('a user cannot be deleted while they own a workspace with other members', async () => {
  const owner = await world.user();
  const shared = await world.workspace({ owner });
  const alone = await world.workspace({ owner });
  await world.member(shared);
  const { workspace_id } = shared;
  expectProblem(await users.delete({ uid: owner.uid }), 'owns_workspaces', {
    workspace_ids: [workspace_id],
  });
  const admin = await world.member(shared, 'admin');
  await ownership.offer({ workspace_id, user_id: admin.uid });
  expect((await users.delete({ uid: owner.uid })).status).toBe(200);
  expect(await countsOf(owner)).toEqual([2, 0]);
  await world.drainStream();
  expect(await table.get(keys.user(owner.uid))).toMatchObject({
    workspace_count: 0,
    completed_at: aTime(),
  });
  const deleted = await table.get(keys.workspace(alone.workspace_id));
  expect(deleted?.['deleted_at']).toEqual(aTime());
  const { body } = await workspaces.get({ workspace_id });
  expect([body.owner_id, body.total_member_count]).toEqual([admin.uid, 2]);
});

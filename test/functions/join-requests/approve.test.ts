import { expect, test } from 'vitest';
import { aMember, expectProblem, unknownId } from '../../support/expectations.ts';
import { withJoinRequest } from '../../support/join-requests.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const approve = (workspace_id: string, uid: string, auth = project.basic, body: object = {}) =>
  as(auth).joinRequests.approve({ workspace_id, user_id: uid, ...body });
const itemsOf = async (workspace_id: string) =>
  (await world.table.query(`WS#${workspace_id}`)).map(({ sk }) => String(sk));

test('201 makes the user a member and deletes the request; 200 with the same member for a retry', async () => {
  const { workspace, workspace_id, asker } = await withJoinRequest(world);
  const admin = await world.member(workspace, 'admin');
  const { status, body } = await approve(workspace_id, asker.uid, admin.bearer);
  expect(status).toBe(201);
  expect(body).toEqual(
    aMember(workspace_id, asker.user, admin.user, { modified_at: body.created_at }),
  );
  expect(await itemsOf(workspace_id)).not.toContain(`REQUEST#${asker.uid}`);
  const item = await world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' });
  expect(item).toMatchObject({
    total_member_count: 3,
    events: [
      {
        type: 'workspace.member.joined',
        data: { user_id: asker.uid, via: 'join_request', role: 'member' },
        actor: { kind: 'user', id: admin.uid },
      },
    ],
  });
  const again = await approve(workspace_id, asker.uid, admin.bearer);
  expect([again.status, again.body]).toEqual([200, body]);
});

test('201 with the requested role; then 409 with another one', async () => {
  const { workspace_id, asker } = await withJoinRequest(world);
  const { body } = await approve(workspace_id, asker.uid, project.basic, { role: 'admin' });
  expect(body.role).toBe('admin');
  expect((await approve(workspace_id, asker.uid)).status).toBe(200);
  const { member_id } = body;
  const other = await approve(workspace_id, asker.uid, project.basic, { role: 'member' });
  expectProblem(other, 'already_member', { member_id });
});

test('201 a user who was invited since keeps the id of the invitation, which is deleted', async () => {
  const { workspace, workspace_id, asker } = await withJoinRequest(world);
  const { member } = await world.invited(workspace, 'member', asker);
  const { body } = await approve(workspace_id, asker.uid);
  expect(body.member_id).toBe(member.member_id);
  expect((await itemsOf(workspace_id)).filter((sk) => sk.endsWith(asker.uid))).toEqual([
    `MEMBER#${asker.uid}`,
  ]);
});

test('404 without a request: never made, withdrawn or expired', async () => {
  const { workspace_id, asker } = await withJoinRequest(world);
  expectProblem(await approve(workspace_id, (await world.user()).uid), 'not_found');
  expectProblem(await approve(workspace_id, unknownId), 'not_found');
  const key = { pk: `WS#${workspace_id}`, sk: `REQUEST#${asker.uid}` };
  await world.table.update(key, { expires_at: 1 });
  expectProblem(await approve(workspace_id, asker.uid), 'not_found');
  const withdrawn = await withJoinRequest(world);
  await as(withdrawn.asker).joinRequests.delete({
    workspace_id: withdrawn.workspace_id,
    user_id: withdrawn.asker.uid,
  });
  expectProblem(await approve(withdrawn.workspace_id, withdrawn.asker.uid), 'not_found');
});

test('409 where the workspace is full; the request stays', async () => {
  const { workspace_id, asker } = await withJoinRequest(world);
  await world.table.update({ pk: `WS#${workspace_id}`, sk: 'WS' }, { total_member_count: 100_000 });
  expectProblem(await approve(workspace_id, asker.uid), 'member_limit_reached');
  expect(await itemsOf(workspace_id)).toContain(`REQUEST#${asker.uid}`);
});

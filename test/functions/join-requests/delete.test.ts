import { expect, test } from 'vitest';
import { userKey } from '../../support/api-keys.ts';
import { expectProblem, unknownId } from '../../support/expectations.ts';
import { withJoinRequest } from '../../support/join-requests.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const end = (workspace_id: string, uid: string, auth = project.basic) =>
  as(auth).joinRequests.delete({ workspace_id, user_id: uid });
const workspaceOf = (workspace_id: string) =>
  world.table.get({ pk: `WS#${workspace_id}`, sk: 'WS' });

test.each(['withdrawn', 'refused'])(
  '200 the request is %s, once, and can be made again',
  async (what) => {
    const { workspace, workspace_id, asker, request } = await withJoinRequest(world);
    const admin = await world.member(workspace, 'admin');
    const by = what === 'withdrawn' ? asker : admin;
    const { status, body } = await end(workspace_id, asker.uid, by.bearer);
    expect([status, body]).toEqual([200, request]);
    expect(await workspaceOf(workspace_id)).toMatchObject({
      join_request_count: 0,
      events: [
        {
          type: `workspace.join_request.${what}`,
          data: { user_id: asker.uid },
          actor: { kind: 'user', id: by.uid },
        },
      ],
    });
    expectProblem(await end(workspace_id, asker.uid, by.bearer), 'not_found');
    expect((await as(asker).joinRequests.create({ workspace_id })).status).toBe(201);
  },
);

test('403 for an API key of the asker without the permission', async () => {
  const { workspace_id, asker } = await withJoinRequest(world);
  const made = (permission: string) => userKey(world, asker, { permissions: [permission] });
  const [reader, refuser] = [await made('workspace:read'), await made('join-request:refuse')];
  expectProblem(await end(workspace_id, asker.uid, reader.bearer), 'forbidden');
  expect((await end(workspace_id, asker.uid, refuser.bearer)).status).toBe(200);
});

test('404 for an expired request and an unknown user', async () => {
  const { workspace_id, asker } = await withJoinRequest(world);
  expectProblem(await end(workspace_id, unknownId), 'not_found');
  const key = { pk: `WS#${workspace_id}`, sk: `REQUEST#${asker.uid}` };
  await world.table.update(key, { expires_at: 1 });
  for (const auth of [project.basic, asker.bearer])
    expectProblem(await end(workspace_id, asker.uid, auth), 'not_found');
});

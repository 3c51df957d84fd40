import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { anEvent, self } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, table, as } = world;
const accept = (workspace_id: string, auth?: string) => as(auth).ownership.accept({ workspace_id });
const read = async (workspace_id: string) =>
  (await as(project).workspaces.get({ workspace_id })).body;
const ownedBy = async ({ uid }: { uid: string }) =>
  (await table.get(keys.user(uid)))?.['owned_workspace_count'] ?? 0;

/** A workspace whose ownership is offered to one of its admins. */
async function offered() {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  const { body } = await as(owner).ownership.offer({ workspace_id, user_id: admin.uid });
  expect(body.ownership_offered_to).toBe(admin.uid);
  return { ...workspace, admin };
}

test('200 changes the owner, with one event', async () => {
  const { workspace_id, owner, admin } = await offered();
  const { ownership_offered_to: _, ...before } = await read(workspace_id);
  const previous = await table.get(keys.workspace(workspace_id));
  const { status, body } = await accept(workspace_id, admin.bearer);
  expect([status, body]).toEqual([
    200,
    { ...before, owner_id: admin.uid, owner_email: admin.email, modified_at: aTime() },
  ]);
  expect(await read(workspace_id)).toEqual(body);
  expect([await ownedBy(owner), await ownedBy(admin)]).toEqual([0, 1]);
  const { events, event_count } = (await table.get(keys.workspace(workspace_id))) ?? {};
  expect(event_count).toBe(Number(previous?.['event_count']) + 1);
  const { member_id } = admin.member;
  expect(events).toEqual([
    {
      ...anEvent(self(admin), 'workspace.ownership_transferred', {
        owner_id: admin.uid,
        member_id,
      }),
      previous: { owner_id: owner.uid },
    },
  ]);
  // The next request may do what only the owner may.
  expectProblem(await as(owner).workspaces.delete({ workspace_id }), 'forbidden');
  expect((await as(admin).workspaces.delete({ workspace_id })).status).toBe(200);
});

test('404 without an offer', async () => {
  const { workspace_id, admin, owner } = await offered();
  const another = await world.member({ workspace_id, owner }, 'admin');
  await as(owner).ownership.end({ workspace_id });
  for (const { bearer } of [admin, another, owner])
    expectProblem(await accept(workspace_id, bearer), 'not_found');
});

test('409 while the new owner owns too many workspaces', async () => {
  const { workspace_id, admin, owner } = await offered();
  await table.update(keys.user(admin.uid), { owned_workspace_count: 500 });
  expectProblem(await accept(workspace_id, admin.bearer), 'owned_workspace_limit_reached');
  expect((await read(workspace_id)).owner_id).toBe(owner.uid);
});

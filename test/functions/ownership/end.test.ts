import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { anEvent, self, theService } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, call, table, as } = world;
const end = (workspace_id: string, auth: string | undefined = project.basic) =>
  as(auth).ownership.end({ workspace_id });

/** A workspace whose ownership is offered to one of its admins. */
async function offered() {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  const before = await as(project).workspaces.get({ workspace_id });
  await as(owner).ownership.offer({ workspace_id, user_id: admin.uid });
  return { workspace_id, owner, admin, before: before.body };
}

test.each(['owner', 'admin', 'project'] as const)(
  '200 for the %s ends the offer; an event has the actor',
  async (who) => {
    const { workspace_id, owner, admin, before } = await offered();
    const auth = { owner: owner.bearer, admin: admin.bearer, project: project.basic }[who];
    const { status, body } = await end(workspace_id, auth);
    expect([status, body]).toEqual([200, { ...before, modified_at: aTime() }]);
    const { events } = (await table.get(keys.workspace(workspace_id))) ?? {};
    const { member_id } = admin.member;
    const actor = { owner: self(owner), admin: self(admin), project: undefined }[who];
    expect(events).toEqual([
      anEvent(
        actor ?? expect.objectContaining({ kind: 'key' }),
        'workspace.ownership_offer_ended',
        {
          user_id: admin.uid,
          member_id,
        },
      ),
    ]);
    expectProblem(await as(admin).ownership.accept({ workspace_id }), 'not_found');
  },
);

/** The changes that end an offer, and the events beside the end of the offer. */
const ends: Record<string, [string, string, string, object?]> = {
  'is demoted': ['PUT', '/role', 'workspace.member.role_changed', { role: 'member' }],
  'is suspended': ['PUT', '/suspension', 'workspace.member.suspended', { suspended: true }],
  'is removed': ['DELETE', '', 'workspace.member.removed'],
};

test.each([...Object.keys(ends), 'leaves', 'is deleted'])(
  'an admin who %s loses the offer in the same change, which has two events',
  async (what) => {
    const { workspace_id, owner, admin } = await offered();
    const modified_at = '2026-01-01T00:00:00.000Z';
    await table.update(keys.workspace(workspace_id), { modified_at });
    const path = `/workspaces/${workspace_id}/users/${admin.uid}`;
    const [method, under, type, body] = ends[what] ?? ['DELETE', '', 'workspace.member.left'];
    if (what === 'is deleted') await as(project).users.delete({ uid: admin.uid });
    else {
      const auth = what === 'leaves' ? admin.bearer : owner.bearer;
      expect((await call(method, `${path}${under}`, auth, body)).status).toBe(200);
    }
    await world.drainStream();
    const { events, ...meta } = (await table.get(keys.workspace(workspace_id))) ?? {};
    expect(meta).not.toHaveProperty('offered_to');
    expect(meta).not.toHaveProperty('offered_member_id');
    expect(String(meta['modified_at']) > modified_at).toBe(true);
    const { member_id } = admin.member;
    expect(events).toMatchObject([
      { type: what === 'is deleted' ? 'workspace.member.removed' : type },
      {
        type: 'workspace.ownership_offer_ended',
        data: { user_id: admin.uid, member_id },
        actor:
          what === 'is deleted'
            ? theService
            : { kind: 'user', id: what === 'leaves' ? admin.uid : owner.uid },
      },
    ]);
  },
);

test.each(['is demoted', 'is suspended', 'is removed'])(
  'an offer to one admin stays if another %s',
  async (what) => {
    const { workspace_id, owner, admin } = await offered();
    const another = await world.member({ workspace_id, owner }, 'admin');
    const path = `/workspaces/${workspace_id}/users/${another.uid}`;
    const [method, under, type, body] = ends[what] ?? ['', '', ''];
    expect((await call(method, `${path}${under}`, project.basic, body)).status).toBe(200);
    const meta = await table.get(keys.workspace(workspace_id));
    expect(meta).toMatchObject({ offered_to: admin.uid, events: [{ type }] });
  },
);

test('200 without an offer changes nothing', async () => {
  const { workspace_id, owner, admin } = await offered();
  await end(workspace_id, owner.bearer);
  const before = await table.query(`WS#${workspace_id}`);
  for (const auth of [owner.bearer, admin.bearer, project.basic])
    expect((await end(workspace_id, auth)).status).toBe(200);
  expect(await table.query(`WS#${workspace_id}`)).toEqual(before);
});

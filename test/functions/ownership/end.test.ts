import { expect, test } from 'vitest';
import { keys } from '#shared/db/schema.ts';
import {
  aTime,
  expectInvalid,
  expectProblem,
  expectSame,
  nowhere,
} from '../../support/expectations.ts';
import { aFact, self, theService } from '../../support/recorded-events.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, call, table } = world;
const end = (workspace_id: string, auth: string | undefined = project.basic) =>
  call('DELETE', `/workspaces/${workspace_id}/ownership`, auth);

/** A workspace that is offered to an admin of it. */
async function offered() {
  const workspace = await world.workspace();
  const { workspace_id, owner } = workspace;
  const admin = await world.member(workspace, 'admin');
  const before = await call('GET', `/workspaces/${workspace_id}`, project.basic);
  const path = `/workspaces/${workspace_id}/ownership`;
  await call('POST', path, owner.bearer, { user_id: admin.uid });
  return { workspace_id, owner, admin, before: before.body };
}

test.each(['owner', 'admin', 'project'] as const)(
  '200 by the %s it was made by or to, or the back end: the offer is gone, and tells who ended it',
  async (who) => {
    const { workspace_id, owner, admin, before } = await offered();
    const auth = { owner: owner.bearer, admin: admin.bearer, project: project.basic }[who];
    const { status, body } = await end(workspace_id, auth);
    expect([status, body]).toEqual([200, { ...before, modified_at: aTime() }]);
    const { events } = (await table.get(keys.workspace(workspace_id))) ?? {};
    const { member_id } = admin.member;
    const actor = { owner: self(owner), admin: self(admin), project: undefined }[who];
    expect(events).toEqual([
      aFact(actor ?? expect.objectContaining({ kind: 'key' }), 'workspace.ownership_offer_ended', {
        user_id: admin.uid,
        member_id,
      }),
    ]);
    const accept = `/workspaces/${workspace_id}/ownership/accept`;
    expectProblem(await call('POST', accept, admin.bearer), 'not_found');
  },
);

/** What keeps an admin from becoming the owner, and what it tells beside the end of the offer. */
const ends: Record<string, [string, string, string, object?]> = {
  'is demoted': ['PUT', '/role', 'workspace.member.role_changed', { role: 'member' }],
  'is suspended': ['PUT', '/suspension', 'workspace.member.suspended', { suspended: true }],
  'is removed': ['DELETE', '', 'workspace.member.removed'],
};

test.each([...Object.keys(ends), 'leaves', 'is deleted'])(
  'an admin who %s is offered it no longer: one change, two facts, by whoever made it',
  async (what) => {
    const { workspace_id, owner, admin } = await offered();
    const path = `/workspaces/${workspace_id}/users/${admin.uid}`;
    const [method, under, type, body] = ends[what] ?? ['DELETE', '', 'workspace.member.left'];
    if (what === 'is deleted') await call('DELETE', `/users/${admin.uid}`, project.basic);
    else {
      const auth = what === 'leaves' ? admin.bearer : owner.bearer;
      expect((await call(method, `${path}${under}`, auth, body)).status).toBe(200);
    }
    await world.drainStream();
    const { events, ...meta } = (await table.get(keys.workspace(workspace_id))) ?? {};
    expect(meta).not.toHaveProperty('offered_to');
    expect(meta).not.toHaveProperty('offered_member_id');
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
  'an offer to one stands while another %s',
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

test('200 again, or where nothing was offered: nothing changes', async () => {
  const { workspace_id, owner, admin } = await offered();
  await end(workspace_id, owner.bearer);
  const before = await table.query(`WS#${workspace_id}`);
  for (const auth of [owner.bearer, admin.bearer, project.basic])
    expect((await end(workspace_id, auth)).status).toBe(200);
  expect(await table.query(`WS#${workspace_id}`)).toEqual(before);
});

test('403 for another admin and for a member', async () => {
  const { workspace_id, owner } = await offered();
  const before = await table.get(keys.workspace(workspace_id));
  for (const role of ['admin', 'member'] as const) {
    const { bearer } = await world.member({ workspace_id, owner }, role);
    expectProblem(await end(workspace_id, bearer), 'forbidden');
  }
  const after = await table.get(keys.workspace(workspace_id));
  expect(after?.['offered_to']).toBe(before?.['offered_to']);
});

test('404 for strangers, here and of another project: the very answer of a missing one', async () => {
  const { workspace_id } = await offered();
  const foreign = await world.newProject();
  const stranger = await world.user();
  for (const auth of [foreign.basic, stranger.bearer]) {
    const answer = await end(workspace_id, auth);
    expectProblem(answer, 'not_found');
    expectSame(answer, await end(nowhere, auth));
  }
});

test('400 for what is no id, 401 without a credential', async () => {
  expectInvalid(await end('x'), '/path/workspace_id');
  const anonymous = await call('DELETE', `/workspaces/${nowhere}/ownership`);
  expectProblem(anonymous, 'unauthenticated');
});

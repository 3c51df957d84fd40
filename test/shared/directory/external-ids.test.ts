import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { counted, times } from '../../races/many.ts';
import { aTime, expectInvalid, expectProblem } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const { users, workspaces } = as(project);
const { project_id } = project;

const findUser = async (external_id: string) => (await users.list({ external_id })).body.result;
const findWorkspace = async (external_id: string) =>
  (await workspaces.list({ external_id })).body.result;
const guard = (listed: 'USERS' | 'WORKSPACES', external_id: string) =>
  world.table.get(keys.externalId(listed, project_id, external_id));

describe('the external id of a user', () => {
  test('is set at creation, returned to backend and user, and can be searched immediately', async () => {
    const external_id = 'crm#1 Ä';
    const { status, body } = await users.create({ email: 'one@example.com', external_id });
    expect([status, body.external_id]).toEqual([201, external_id]);
    const { bearer } = await world.session(body.uid);
    const { body: self } = await as(bearer).users.getMe();
    expect(self.external_id).toBe(external_id);
    expect(await findUser(external_id)).toEqual([self]);
    expect(await findUser('CRM#1 Ä')).toEqual([]);
  });

  test('is not set by creating a user who exists', async () => {
    const { body } = await users.create({ email: 'there@example.com' });
    const again = await users.create({ email: 'there@example.com', external_id: 'there' });
    expect([again.status, again.body]).toEqual([200, body]);
    expect(await findUser('there')).toEqual([]);
  });

  test('can be changed, and cleared with "" or null, and is free then', async () => {
    const { uid } = await world.user();
    const { uid: other } = await world.user();
    const { body: before } = await users.get({ uid });
    for (const none of ['', null]) {
      await users.update({ uid, external_id: 'first' });
      const { body } = await users.update({ uid, external_id: 'second', display_name: 'Ada' });
      expect(body).toMatchObject({ external_id: 'second', display_name: 'Ada' });
      expect(body).toEqual((await users.get({ uid })).body);
      expect(await guard('USERS', 'first')).toBeUndefined();
      expectProblem(await users.update({ uid: other, external_id: 'second' }), 'external_id_taken');
      const cleared = await users.update({ uid, external_id: none, display_name: '' });
      expect(cleared.body).toEqual({ ...before, modified_at: aTime() });
      const taken = await users.update({ uid: other, external_id: 'second' });
      expect([taken.status, taken.body.external_id]).toEqual([200, 'second']);
      await users.update({ uid: other, external_id: none });
    }
  });

  test('is not changed by other changes or by its own value', async () => {
    const { uid } = await world.user();
    const { body: before } = await users.update({ uid, external_id: 'same' });
    expect((await users.update({ uid, external_id: 'same' })).body).toEqual(before);
    await users.update({ uid, disabled: true });
    const { body } = await users.update({ uid, disabled: false, email: 'same@example.com' });
    expect(body.external_id).toBe('same');
    expect(await guard('USERS', 'same')).toMatchObject({ id: uid });
  });

  test('409 external_id_taken changes nothing; a taken e-mail is reported first', async () => {
    const { uid } = await world.user({ email: 'a@example.com' });
    await users.update({ uid, external_id: 'taken' });
    const made = await users.create({ email: 'b@example.com', external_id: 'taken' });
    expectProblem(made, 'external_id_taken');
    const { uid: other } = await world.user({ email: 'c@example.com' });
    const both = { uid: other, email: 'd@example.com', external_id: 'taken' };
    expectProblem(await users.update(both), 'external_id_taken');
    expectProblem(await users.update({ ...both, email: 'a@example.com' }), 'email_taken');
    expect((await users.get({ uid: other })).body.email).toBe('c@example.com');
    expect((await users.create({ email: 'b@example.com' })).status).toBe(201);
  });

  test('can be sent back by the user, but not changed', async () => {
    const { uid, bearer } = await world.user();
    await users.update({ uid, external_id: 'mine' });
    const own = as(bearer).users;
    expect((await own.update({ uid, external_id: 'mine', display_name: 'Ada' })).status).toBe(200);
    for (const external_id of ['other', '', null])
      expectProblem(await own.update({ uid, external_id }), 'forbidden');
    expect((await users.get({ uid })).body.external_id).toBe('mine');
  });

  test('is unique per project', async () => {
    const elsewhere = await world.newProject();
    const { uid } = await world.user();
    await users.update({ uid, external_id: 'twice' });
    const made = await as(elsewhere).users.create({ email: 'x@example.com', external_id: 'twice' });
    expect(made.status).toBe(201);
    expect((await findUser('twice')).map((each: { uid: string }) => each.uid)).toEqual([uid]);
  });

  test('is free once the user is deleted', async () => {
    const { uid } = await world.user();
    await users.update({ uid, external_id: 'gone' });
    await users.delete({ uid });
    expect(await findUser('gone')).toEqual([]);
    const made = await users.create({ email: 'next@example.com', external_id: 'gone' });
    expect(made.status).toBe(201);
    expect(await world.table.get(keys.user(uid))).not.toHaveProperty('external_id');
  });

  test('is given to one of 20 concurrent requests', async () => {
    const answers = await times(20, (i) =>
      users.create({ email: `race${i}@example.com`, external_id: 'race' }),
    );
    expect(counted(answers)).toEqual({ 201: 1, external_id_taken: 19 });
  });

  test('is not returned to other members of a workspace', async () => {
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const { uid } = await world.member(workspace);
    await users.update({ uid, external_id: 'hidden' });
    await world.drainStream();
    const { members } = as(owner);
    const { body } = await members.list({ workspace_id, status: 'accepted' });
    const changed = await members.changeRole({ workspace_id, user_id: uid, role: 'admin' });
    expect(changed.status).toBe(200);
    expect(JSON.stringify([body, changed.body])).not.toContain('hidden');
  });

  test('is in the event of its change, with the previous value', async () => {
    const { uid } = await world.user();
    await users.update({ uid, external_id: 'told' });
    await users.update({ uid, external_id: null });
    await world.drainStream();
    const changes = world.events().filter(({ data }) => data['user_id'] === uid);
    const fields = ['external_id'];
    expect(changes.slice(-2)).toMatchObject([
      { type: 'user.updated', data: { fields, user: { external_id: 'told' } } },
      { type: 'user.updated', data: { fields }, previous: { user: { external_id: 'told' } } },
    ]);
  });
});

describe('the external id of a workspace', () => {
  const make = async (external_id?: string) => {
    const owner = await world.user();
    const given = { name: 'Acme', owner_id: owner.uid, ...(external_id && { external_id }) };
    const { status, body } = await workspaces.create(given);
    expect(status).toBe(201);
    return { owner, body, workspace_id: body.workspace_id };
  };

  test("is set at creation, can be searched immediately, and is independent of users' ids", async () => {
    const { uid } = await world.user();
    await users.update({ uid, external_id: 'acme' });
    const { body, owner, workspace_id } = await make('acme');
    expect(body.external_id).toBe('acme');
    expect(await findWorkspace('acme')).toEqual([body]);
    expect((await as(owner).workspaces.get({ workspace_id })).body).toEqual(body);
    const again = await workspaces.create({ name: 'B', owner_id: owner.uid, external_id: 'acme' });
    expectProblem(again, 'external_id_taken');
  });

  test('can be changed with other fields and cleared, and is free then', async () => {
    const { workspace_id, body: before } = await make();
    const { workspace_id: other } = await make('theirs');
    const taken = await workspaces.update({ workspace_id, external_id: 'theirs', name: 'B' });
    expectProblem(taken, 'external_id_taken');
    for (const none of ['', null]) {
      const { body } = await workspaces.update({ workspace_id, external_id: 'ours', name: 'B' });
      expect(body).toEqual({ ...before, name: 'B', external_id: 'ours', modified_at: aTime() });
      expect(body.modified_at > before.modified_at).toBe(true);
      expect((await workspaces.get({ workspace_id })).body).toEqual(body);
      const cleared = await workspaces.update({ workspace_id, external_id: none, name: 'Acme' });
      expect(cleared.body).toEqual({ ...before, modified_at: aTime() });
      expect(await findWorkspace('ours')).toEqual([]);
    }
    const moved = await workspaces.update({ workspace_id: other, external_id: 'ours' });
    expect(moved.body.external_id).toBe('ours');
    expect(await guard('WORKSPACES', 'theirs')).toBeUndefined();
  });

  test('can be sent back by the owner, but not changed', async () => {
    const { owner, body, workspace_id } = await make('fixed');
    const own = as(owner).workspaces;
    const back = await own.update({ ...body, name: 'New' });
    expect([back.status, back.body.name]).toEqual([200, 'New']);
    for (const external_id of ['other', '', null])
      expectProblem(await own.update({ workspace_id, external_id }), 'forbidden');
  });

  test('is free while the workspace is deleted, and returns with a restore', async () => {
    const { workspace_id, body: made } = await make('back');
    const { body } = await workspaces.delete({ workspace_id });
    expect(body).not.toHaveProperty('external_id');
    expect(await guard('WORKSPACES', 'back')).toBeUndefined();
    const restored = await workspaces.restore({ workspace_id });
    expect(restored.body).toEqual({ ...made, modified_at: aTime() });
    expect(await findWorkspace('back')).toEqual([restored.body]);
  });

  test('does not return with a restore if another workspace has it', async () => {
    const { workspace_id, body: made } = await make('lost');
    await workspaces.delete({ workspace_id });
    const { body: other } = await make('lost');
    const { external_id: _, ...without } = made;
    const restored = await workspaces.restore({ workspace_id });
    expect(restored.body).toEqual({ ...without, modified_at: aTime() });
    expect((await workspaces.get({ workspace_id })).body).toEqual(restored.body);
    expect(await findWorkspace('lost')).toEqual([other]);
  });

  test('is free once the workspace is deleted with its owner', async () => {
    const { owner } = await make('orphan');
    expect((await users.delete({ uid: owner.uid })).status).toBe(200);
    expect(await guard('WORKSPACES', 'orphan')).toBeUndefined();
    await make('orphan');
  });

  test('is not returned to invited users', async () => {
    const { owner, workspace_id } = await make('secretive');
    const guest = await world.invited({ owner, workspace_id });
    const { body } = await as(guest).workspaces.listInvited();
    expect(body.invited_workspaces).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain('secretive');
  });
});

test('400 for an external id beside another filter, and from a user', async () => {
  const { uid: user_id, bearer } = await world.user();
  expectInvalid(await users.list({ external_id: 'a', email: 'a@example.com' }), '/query/email');
  expectInvalid(await workspaces.list({ external_id: 'a', user_id }), '/query/user_id');
  expectInvalid(await as(bearer).workspaces.list({ external_id: 'a' }), '/query/external_id');
});

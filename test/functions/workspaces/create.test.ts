import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { aMember, aWorkspace, expectProblem, unknownId } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const create = (body: object, auth = project.basic) => as(auth).workspaces.create(body);

test('201 creates a workspace with one member', async () => {
  const owner = await world.user({ email: 'Ada@Example.com' });
  const { status, body } = await create({ name: 'Acme', owner_id: owner.uid });
  expect(status).toBe(201);
  expect(body).toEqual(aWorkspace(owner.user, { modified_at: body.created_at }));
  expect(body.invitation_url).toBe(
    `https://example.invalid/join?project_id=${project.project_id}&workspace_id=${body.workspace_id}`,
  );
  expect((await as(project).workspaces.get({ workspace_id: body.workspace_id })).body).toEqual(
    body,
  );
  expect((await as(owner).workspaces.get({ workspace_id: body.workspace_id })).body).toEqual(body);
});

test('201 the owner is an admin and their own inviter', async () => {
  const owner = await world.user();
  const { workspace_id } = (await create({ name: 'Acme', owner_id: owner.uid })).body;
  const list = await as(owner).members.list({ workspace_id, status: 'accepted' });
  expect(list.body).toMatchObject({ total: 1, result: [{ uid: owner.uid, role: 'admin' }] });
  const join = await as(project).members.join({ workspace_id, user_id: owner.uid });
  expect(join.status).toBe(200);
  expect(join.body).toEqual(aMember(workspace_id, owner.user, owner.user, { role: 'admin' }));
  const joined = await as(owner).workspaces.listJoined();
  expect(joined.body).toEqual([(await as(project).workspaces.get({ workspace_id })).body]);
});

test('201 with a logo and a description; empty ones count as none', async () => {
  const { uid, user } = await world.user();
  const given = { description: 'We make\neverything.' };
  const full = await create({
    ...given,
    name: 'Acme ✳',
    owner_id: uid,
    logo: 'https://example.com/logo.png',
  });
  expect(full.body).toEqual(
    aWorkspace(user, { ...given, name: 'Acme ✳', logo_url: 'https://example.com/logo.png' }),
  );
  const empty = await create({ name: 'Acme', owner_id: uid, logo: '', description: '' });
  expect(empty.body).toEqual(aWorkspace(user));
  const none = await create({ name: 'Acme', owner_id: uid, logo: null });
  expect(none.body).toEqual(aWorkspace(user));
});

test('201 with metadata, of which the event has only app_metadata', async () => {
  const { uid } = await world.user();
  const metadata = { app_metadata: { plan: 'team' }, private_metadata: { score: 7 } };
  const { status, body } = await create({ name: 'Acme', owner_id: uid, ...metadata });
  expect(status).toBe(201);
  // Metadata is not a field of the workspace.
  expect(Object.keys(body).filter((name) => name.includes('metadata'))).toEqual([]);
  const of = { workspace_id: body.workspace_id };
  expect((await as(project).workspaces.getMetadata(of)).body).toEqual(metadata);
  // By which the job of a deletion knows that there is something to delete.
  const stored = await world.table.get(keys.workspace(body.workspace_id));
  expect(stored).toMatchObject({ has_metadata: true });
  await as(project).workspaces.mergeMetadata({ ...of, private_metadata: null });
  expect((await as(project).workspaces.getMetadata(of)).body).toEqual({
    app_metadata: metadata.app_metadata,
  });
  await world.drainStream();
  const { result } = (await as(project).events.listOfWorkspace(of)).body as {
    result: { event: { type: string; data: object } }[];
  };
  const changes = result.filter(({ event }) => event.type === 'workspace.metadata_changed');
  expect(changes.map(({ event }) => event.data)).toMatchObject([
    { fields: ['app_metadata', 'private_metadata'], app_metadata: metadata.app_metadata },
    { fields: ['private_metadata'] },
  ]);
  expect(JSON.stringify(changes)).not.toContain('score');
  // An empty object counts as no metadata.
  const none = await create({ name: 'Acme', owner_id: uid, app_metadata: {} });
  const empty = await world.table.get(keys.workspace(none.body.workspace_id));
  expect(empty).not.toHaveProperty('has_metadata');
  expect(await world.table.get(keys.workspaceMetadata(none.body.workspace_id))).toBeUndefined();
});

test("201 the invitation URL begins with the project's own base URL", async () => {
  const invitation_base_url = 'https://app.example.org/join?lang=de';
  const own = await world.newProject({ invitation_base_url });
  const owner = await world.user({ project: own });
  const { body } = await create({ name: 'Acme', owner_id: owner.uid }, own.basic);
  expect(body.invitation_url).toBe(
    `${invitation_base_url}&project_id=${own.project_id}&workspace_id=${body.workspace_id}`,
  );
});

describe('by a user', () => {
  const own = { name: 'Own' };
  const open = (workspace_creation: 'backend' | 'verified' | 'anyone') =>
    world.newProject({ workspace_creation });

  test.each([{ external_id: 'o1' }, { app_metadata: { a: 1 } }, { private_metadata: {} }])(
    '403 for %j, which only the backend may set',
    async (more) => {
      const owner = await world.user({ project: await open('anyone') });
      expectProblem(await as(owner).workspaces.create({ ...own, ...more }), 'forbidden');
    },
  );

  test('201 the caller is the owner, with or without owner_id, and the actor of the event', async () => {
    const ours = await open('anyone');
    const owner = await world.user({ project: ours });
    const { status, body } = await as(owner).workspaces.create(own);
    expect(status).toBe(201);
    expect(body.owner_id).toBe(owner.uid);
    const named = await as(owner).workspaces.create({ ...own, owner_id: owner.uid });
    expect(named.body.owner_id).toBe(owner.uid);
    expect((await as(owner).workspaces.get({ workspace_id: body.workspace_id })).body).toEqual(
      body,
    );
    await world.drainStream();
    const { workspace_id } = body;
    const log = await as(owner).events.listOfWorkspace({ workspace_id });
    expect(log.body.result[0]?.event).toMatchObject({
      type: 'workspace.created',
      actor: { kind: 'user', id: owner.uid },
    });
  });

  test('403 without a verified e-mail if the project requires one', async () => {
    const ours = await open('verified');
    const proven = await world.user({ project: ours, verified: true });
    expect((await as(proven).workspaces.create(own)).status).toBe(201);
    const unproven = await world.user({ project: ours });
    const detail = 'The project lets users with a verified e-mail create workspaces';
    expectProblem(await as(unproven).workspaces.create(own), 'forbidden', { detail });
    expect((await as(unproven).workspaces.listJoined()).body).toEqual([]);
  });

  test('403 unless the project allows it, 404 for another owner, existing or not', async () => {
    const closed = await world.user({ verified: true });
    const detail = 'The project lets only its backend create workspaces';
    for (const more of [{}, { owner_id: unknownId }])
      expectProblem(await as(closed).workspaces.create({ ...own, ...more }), 'forbidden', {
        detail,
      });
    const ours = await open('anyone');
    const [ada, bob] = [await world.user({ project: ours }), await world.user({ project: ours })];
    for (const owner_id of [bob.uid, closed.uid, unknownId])
      expectProblem(await as(ada).workspaces.create({ ...own, owner_id }), 'not_found');
  });

  test('429 beyond the limit of a day, even after a deletion; the backend has no such limit', async () => {
    const ours = await open('anyone');
    const owner = await world.user({ project: ours });
    const { max, seconds } = rates.workspacesByOne;
    const window = Math.floor(Date.now() / 1_000 / seconds);
    const { workspace_id } = (await as(owner).workspaces.create(own)).body;
    await world.table.update(keys.rate('workspacesByOne', owner.uid, window), { count: max });
    await as(owner).workspaces.delete({ workspace_id });
    await world.drainStream();
    expectProblem(await as(owner).workspaces.create(own), 'too_many_requests');
    const { status } = await create({ ...own, owner_id: owner.uid }, ours.basic);
    expect(status).toBe(201);
  });

  test.each([
    ['owned_workspace_count', limits.ownedWorkspacesPerUser, 'owned_workspace_limit_reached'],
    ['workspace_count', limits.workspacesPerUser, 'workspace_limit_reached'],
  ] as const)('201 the last one of the limit of %s, %i, then 409', async (count, most, code) => {
    const owner = await world.user({ project: await open('anyone') });
    await world.table.update(keys.user(owner.uid), { [count]: most - 1 });
    expect((await as(owner).workspaces.create(own)).status).toBe(201);
    expectProblem(await as(owner).workspaces.create(own), code);
    expect(await world.table.get(keys.user(owner.uid))).toMatchObject({ [count]: most });
  });
});

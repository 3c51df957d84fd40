import { expect, test } from 'vitest';
import { aMember, aWorkspace } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const create = (body: object, auth = project.basic) => as(auth).workspaces.create(body);

test('201 creates an empty workspace of one member', async () => {
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

test('201 the owner is its accepted admin, as if invited by themself', async () => {
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

test('201 with a logo and a description; empty ones are as good as none', async () => {
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

test("201 invites from the project's own address", async () => {
  const invitation_base_url = 'https://app.example.org/join?lang=de';
  const own = await world.newProject({ invitation_base_url });
  const owner = await world.user({ project: own });
  const { body } = await create({ name: 'Acme', owner_id: owner.uid }, own.basic);
  expect(body.invitation_url).toBe(
    `${invitation_base_url}&project_id=${own.project_id}&workspace_id=${body.workspace_id}`,
  );
});

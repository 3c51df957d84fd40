import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { World } from '../world.ts';

/** Calls by the backend of the project, each on a cold function. */
type By = (method: string, path: string) => Promise<unknown>;

/** Uses the rights for sessions with an active workspace, and for an impersonation session. */
export async function useSessions(world: World, asProject: By): Promise<void> {
  const { workspace, as, project } = world;
  const { owner, workspace_id } = await workspace();
  const { access_token: token } = (await as(owner).sessions.selectWorkspace({ workspace_id })).body;
  await as(project).sessions.introspect({ token });
  await as(`Bearer ${owner.refresh_token}`).sessions.refresh({ accessToken: token });
  const mailing = await world.newProject({ impersonation: 'notify' });
  const { uid } = await world.user({ project: mailing, verified: true });
  await as(mailing).sessions.create({ uid, actor: { id: 'grace', reason: 'Ticket 1' } });
  await useLists(world, asProject);
  await useExternalIds(world);
  await useImport(world);
}

/** Imports a user with every possible field, and exports the password hash. */
async function useImport({ newProject, as, operate }: World): Promise<void> {
  const google = {
    issuer: 'https://accounts.example.com',
    jwks_uri: 'https://accounts.example.com/keys',
    client_ids: ['id'],
  };
  const project = await newProject({ identity_providers: { google } });
  const identities = [{ provider: 'google', subject: '1' }];
  const password_hash = `$2b$04$${'.'.repeat(53)}`;
  const user = {
    email: 'imported@example.com',
    external_id: 'imported',
    password_hash,
    identities,
    app_metadata: { plan: 'pro' },
  };
  const headers = { 'idempotency-key': randomUUID() };
  const { body } = await as(project).users.import({ users: [user] }, { headers });
  const uids = body.results.map((row: { uid?: string }) => row.uid);
  const { project_id } = project;
  const exported = await operate({ action: 'export-password-hashes', project_id, uids });
  expect(exported).toMatchObject({ hashes: { [String(uids[0])]: password_hash } });
  await as(project).users.import({ users: [{ email: user.email, external_id: 'another' }] });
  const { kinds } = (await operate({ action: 'retire-hash-kinds', project_id })) as {
    kinds: { id: string }[];
  };
  await operate({ action: 'count-hash-kinds', project_id, uids });
  const ids = kinds.map(({ id }) => id);
  await operate({ action: 'drop-hash-kinds', project_id, ids });
}

/** Lists and searches users and workspaces of a project. */
async function useLists({ workspace, drainStream }: World, asProject: By): Promise<void> {
  const { owner } = await workspace({ name: 'Listed' });
  await drainStream();
  const searches = ['', '?query=listed', '?query=nobody+is+called+so'];
  for (const search of searches)
    for (const path of ['/users', '/workspaces']) await asProject('GET', path + search);
  await asProject('GET', `/users?email=${encodeURIComponent(owner.email)}`);
}

/** Sets, changes and removes the external id of a user and a workspace. */
async function useExternalIds({ as, project, user }: World): Promise<void> {
  const { users, workspaces } = as(project);
  const external_id = 'named';
  const { uid } = (await users.create({ email: 'named@example.com', external_id })).body;
  await users.update({ uid, external_id: 'renamed' });
  await users.list({ external_id: 'renamed' });
  const { uid: owner_id } = await user();
  const named = { name: 'Named', owner_id, external_id };
  const { workspace_id } = (await workspaces.create(named)).body;
  await workspaces.update({ workspace_id, external_id: 'renamed' });
  await workspaces.list({ external_id: 'renamed' });
  await workspaces.delete({ workspace_id });
  await workspaces.restore({ workspace_id });
  await users.delete({ uid });
}

/**
 * Introspects a still valid token on the next day, when all caches have expired and the use of the secret is not
 * recorded.
 */
export async function introspect({ project, session, call }: World, uid: string): Promise<void> {
  const day = 86_400_000;
  vi.setSystemTime(Math.ceil(Date.now() / day) * day - 60_000);
  const { access_token: token } = await session(uid);
  vi.setSystemTime(Date.now() + 301_000);
  const { body } = await call('POST', '/sessions/introspect', project.basic, { token });
  expect(body.active).toBe(true);
}

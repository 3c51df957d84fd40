import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { World } from '../world.ts';

/** Uses the rights for the token of a session with an active workspace. */
export async function useActiveWorkspace({ workspace, as, project }: World): Promise<void> {
  const { owner, workspace_id } = await workspace();
  const { access_token: token } = (await as(owner).sessions.selectWorkspace({ workspace_id })).body;
  await as(project).sessions.introspect({ token });
}

/** Imports a user with every possible field, and exports the password hash. */
export async function useImport({ newProject, as, operate }: World): Promise<void> {
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

/** Sets, changes and removes the external id of a user and a workspace. */
export async function useExternalIds({ as, project, user }: World): Promise<void> {
  const { users, workspaces } = as(project);
  const external_id = 'named';
  const { uid } = (await users.create({ email: 'named@example.com', external_id })).body;
  await users.update({ uid, external_id: 'renamed' });
  const { uid: owner_id } = await user();
  const named = { name: 'Named', owner_id, external_id };
  const { workspace_id } = (await workspaces.create(named)).body;
  await workspaces.update({ workspace_id, external_id: 'renamed' });
  await workspaces.delete({ workspace_id });
  await workspaces.restore({ workspace_id });
  await users.delete({ uid });
}

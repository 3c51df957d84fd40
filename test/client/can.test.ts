import { expect, test } from 'vitest';
import { createBackend } from '../../client/server.ts';
import { unknownWorkspaceId } from '../support/expectations.ts';
import { roleTools } from '../support/roles.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id: projectId, secret } = world.project;
const backend = createBackend({ url: world.url, projectId, secret });

test('is true if the user has all permissions now, and false for a user who is not a member', async () => {
  const { define } = roleTools(world);
  const role = await define('clerk', ['invoice:read', 'event:list']);
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const { uid } = await world.member(workspace, role);
  expect(await backend.can(uid, workspace_id, 'invoice:read', 'event:list')).toBe(true);
  expect(await backend.can(uid, workspace_id, 'invoice:read', 'workspace:update')).toBe(false);
  expect(await backend.can(uid, unknownWorkspaceId, 'workspace:read')).toBe(false);
  await define(role, []);
  expect(await backend.can(uid, workspace_id, 'invoice:read')).toBe(false);
});

test('throws if the service refuses the backend', async () => {
  const { secret: another } = await world.newProject();
  const stranger = createBackend({ url: world.url, projectId, secret: another });
  await expect(stranger.can('x', 'y', 'invoice:read')).rejects.toMatchObject({ status: 401 });
});

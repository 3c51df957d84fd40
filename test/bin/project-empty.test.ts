import { expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import type { WorkspaceItem } from '../../shared/workspaces/items.ts';
import { startWorld, type TestProject } from '../support/world.ts';
import { run } from './run.ts';

const world = await startWorld({ subscribers: false });

/** Runs the command while the stream is followed, as a deployment does. */
async function empty({ project_id, secret }: TestProject, ...flags: string[]) {
  const args = ['bin/project-empty.ts', '--project', project_id, '--url', world.url, ...flags];
  const running = run(args, { env: { PROJECT_SECRET: secret } });
  const following = setInterval(() => void world.drainStream(), 50);
  return running.finally(() => clearInterval(following));
}

/** A project with three users; one owns a workspace with a member. */
async function full() {
  const project = await world.newProject();
  const [owner, member] = [await world.user({ project }), await world.user({ project })];
  await world.user({ project });
  const place = await world.workspace({ owner });
  await world.member(place, 'member', member);
  return { project, owner, place };
}

const contentOf = async (project: TestProject) => {
  await world.drainStream();
  const { users, workspaces } = world.as(project);
  const [all, places] = [(await users.list()).body, (await workspaces.list()).body];
  return [all.result.length, places.result.length];
};

test('without --confirm, or with that of another project, deletes nothing and says what there is', async () => {
  const { project } = await full();
  await world.drainStream();
  const { project_id } = project;
  for (const flags of [[], ['--confirm', 'another']]) {
    const { stdout, stderr, code } = await empty(project, ...flags);
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: `${project_id} has 1 workspaces and 3 users. Nothing was deleted: pass --confirm ${project_id} to delete them for good.\n`,
      code: 1,
    });
  }
  expect(await contentOf(project)).toEqual([3, 1]);
});

test('deletes every workspace and user of the project, and what belongs to them', async () => {
  const [{ project, owner }, other] = [await full(), await full()];
  // More than a page.
  const users = Array.from({ length: 120 }, (_, i) => ({ external_id: `u${i}` }));
  await world.as(project).users.import({ users: users.slice(0, 100) });
  await world.as(project).users.import({ users: users.slice(100) });
  await world.drainStream();
  const { stdout, stderr, code } = await empty(project, '--confirm', project.project_id);
  const deleted = `1 workspaces and 123 users were deleted. ${project.project_id} has none any more.\n`;
  expect([stdout, code]).toEqual([deleted, 0]);
  expect(stderr).toContain('Waiting for what belongs to the users …\n');
  expect(await contentOf(project)).toEqual([0, 0]);
  expect((await world.as(owner).users.get({ uid: owner.uid })).status).toBe(401);
  expect(await contentOf(other.project)).toEqual([3, 1]);
  // Again.
  expect((await empty(project, '--confirm', project.project_id)).stdout).toContain(
    '0 workspaces and 0 users were deleted.',
  );
});

test('deletes a workspace that no list has, which its owner cannot be deleted without', async () => {
  const { project, place } = await full();
  const { workspace_id } = place;
  await world.drainStream();
  const { created_at } = (await world.table.get(keys.workspace(workspace_id))) as WorkspaceItem;
  const { project_id } = project;
  await world.table.delete(keys.directoryEntry('WORKSPACES', project_id, created_at, workspace_id));
  const { stdout } = await empty(project, '--confirm', project_id);
  expect(stdout).toContain('0 workspaces and 3 users were deleted.');
  expect((await world.as(project).workspaces.get({ workspace_id })).status).toBe(404);
});

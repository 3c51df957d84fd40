import { expect } from 'vitest';
import { roleTools } from './roles.ts';
import type { Caller } from './routes.ts';
import type { TestProject, World } from './world.ts';

/** A project whose workspaces can define roles, and helpers that define them. */
export async function ownRoleTools(world: World, settings: object = {}) {
  const project: TestProject = await world.newProject({ workspace_roles: true, ...settings });
  const { permission, define } = roleTools(world, project);
  const workspace = async () => world.workspace({ owner: await world.user({ project }) });

  /** Defines a role of the workspace with these existing permissions, by default as the backend. */
  async function defineOwn(
    workspace_id: string,
    role: string,
    permissions: string[],
    by: Caller = project,
  ): Promise<string> {
    const { status, body } = await world
      .as(by)
      .workspaceRoles.set({ workspace_id, role, permissions });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return role;
  }
  return { project, workspace, permission, define, defineOwn };
}

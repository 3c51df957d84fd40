import { expect } from 'vitest';
import { isReservedPermission } from '../../shared/roles/definitions.ts';
import type { TestProject, World } from './world.ts';

/** Defines permissions and roles of a project, by default the world's, as its backend. */
export function roleTools(world: World, { basic }: TestProject = world.project) {
  const { permissions, roles } = world.as(basic);

  async function permission(...names: string[]): Promise<void> {
    for (const each of names)
      expect((await permissions.set({ permission: each })).status).toBeLessThan(300);
  }

  /** Defines a role with these permissions, after defining those of the project. */
  async function define(role: string, granted: string[], more: object = {}): Promise<string> {
    await permission(...granted.filter((each) => !isReservedPermission(each)));
    const { status, body } = await roles.set({ role, permissions: granted, ...more });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return role;
  }
  return { permissions, roles, permission, define };
}

import { expect } from 'vitest';
import { isReservedPermission } from '../../shared/roles/definitions.ts';
import type { TestProject, World } from './world.ts';

/** Defines permissions and roles of a project, by default of the world's, as its back end. */
export function roleTools(world: World, { basic }: TestProject = world.project) {
  const { permissions, roles } = world.as(basic);

  async function permission(...names: string[]): Promise<void> {
    for (const each of names)
      expect((await permissions.set({ permission: each })).status).toBeLessThan(300);
  }

  /** A role that holds these permissions; those of the project are defined first. */
  async function define(role: string, held: string[], more: object = {}): Promise<string> {
    await permission(...held.filter((each) => !isReservedPermission(each)));
    const { status, body } = await roles.set({ role, permissions: held, ...more });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return role;
  }
  return { permissions, roles, permission, define };
}

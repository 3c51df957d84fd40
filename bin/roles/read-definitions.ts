import type { DefinedPermission } from '../../shared/contract/permissions.ts';
import type { DefinedRole } from '../../shared/contract/roles.ts';
import type { Definitions } from '../../shared/roles/definitions.ts';
import { type Resource, readPage } from '../transfer/lists.ts';
import type { ProjectApi } from '../transfer/project-api.ts';

/** The permissions and roles that the project defines. */
export async function readDefinitions(api: ProjectApi): Promise<Definitions> {
  const [permissions, roles] = await Promise.all([
    list<DefinedPermission>(api, '/permissions'),
    list<DefinedRole>(api, '/roles'),
  ]);
  return {
    permissions: Object.fromEntries(
      permissions
        .filter((each) => !each.built_in)
        .map(({ permission, description }) => [permission, { description }]),
    ),
    roles: Object.fromEntries(
      roles
        .filter((each) => !each.built_in || (each.role !== 'owner' && isAdded(each)))
        .map(({ role, name, description, permissions: own, inherits }) => [
          role,
          {
            name,
            description,
            permissions: own,
            ...(inherits.length > 0 && { inherits }),
          },
        ]),
    ),
  };
}

/** The custom roles of a workspace. */
export async function readOwnRoles(api: ProjectApi, workspace_id: string): Promise<Resource[]> {
  const roles = await list<Resource>(api, `/workspaces/${workspace_id}/roles`);
  return roles
    .filter(({ own }) => own === true)
    .map(({ role, name, description, permissions }) => ({ role, name, description, permissions }));
}

/** Whether the project added anything to a role of every project. */
function isAdded({ name, description, permissions }: DefinedRole): boolean {
  return name !== undefined || description !== undefined || permissions.length > 0;
}

/** A list of the API. It has one page: there are at most 250 of each. */
async function list<T>(api: ProjectApi, path: string): Promise<T[]> {
  return (await readPage(api, path)).page as T[];
}

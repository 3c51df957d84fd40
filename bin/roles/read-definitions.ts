import type { DefinedPermission } from '../../shared/contract/permissions.ts';
import type { DefinedRole } from '../../shared/contract/roles.ts';
import type { Definitions } from '../../shared/roles/definitions.ts';
import { CommandFailure } from '../flags.ts';
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
            ...{ name, description, permissions: own },
            ...(inherits.length > 0 && { inherits }),
          },
        ]),
    ),
  };
}

/** Whether the project added anything to a role of every project. */
function isAdded({ name, description, permissions }: DefinedRole): boolean {
  return name !== undefined || description !== undefined || permissions.length > 0;
}

/** A list of the API. It has one page: there are at most 250 of each. */
async function list<T>(api: ProjectApi, path: string): Promise<T[]> {
  const { status, body } = await api.call('GET', path);
  if (status !== 200) throw new CommandFailure(`GET ${path}: ${refusalOf(body)}`);
  return (body as { result: T[] }).result;
}

/** Why a request was refused, from its problem document. */
export function refusalOf(body: unknown): string {
  const { detail, errors = [] } = Object(body) as {
    detail?: string;
    errors?: { pointer: string; detail: string }[];
  };
  const fields = errors.map(({ pointer, detail: what }) => `${pointer}: ${what}`);
  return [detail ?? 'no reason is given', ...fields].join('; ');
}

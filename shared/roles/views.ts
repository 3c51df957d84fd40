import type { DefinedPermission } from '../contract/permissions.ts';
import type { DefinedRole } from '../contract/roles.ts';
import { isBuiltIn } from '../model/fields.ts';
import { isAction, policy } from '../model/policy.ts';
import {
  type Definitions,
  isGrantableName,
  isRole,
  permissionsOf,
  permissionsOfRole,
  roleOf,
} from './definitions.ts';

/** A permission that a project defines. */
export const toPermission = (
  permission: string,
  { description }: Definitions['permissions'][string],
): DefinedPermission => ({
  permission,
  ...(description && { description }),
  built_in: false,
});

/** A permission that roles can hold, of the project or of the service. */
export function findPermission(
  permission: string,
  { permissions }: Definitions,
): DefinedPermission | undefined {
  if (isAction(permission)) return { permission, built_in: true };
  const own = Object.hasOwn(permissions, permission) ? permissions[permission] : undefined;
  return own && toPermission(permission, own);
}

/** The permissions of the project, then those of the service that it may give to roles, each sorted. */
export function toPermissions({ permissions }: Definitions): DefinedPermission[] {
  const own = Object.entries(permissions).map(([name, definition]) =>
    toPermission(name, definition),
  );
  const ofService = Object.keys(policy).filter(isGrantableName);
  return [
    ...own.sort((a, b) => (a.permission < b.permission ? -1 : 1)),
    ...ofService.toSorted().map((permission) => ({ permission, built_in: true })),
  ];
}

/** A role, which exists. */
export function toRole(role: string, definitions: Definitions): DefinedRole {
  const { name, description, permissions = [], inherits = [] } = roleOf(definitions, role) ?? {};
  const effective =
    role === 'owner'
      ? permissionsOf(role, role, definitions)
      : permissionsOfRole(role, definitions);
  return {
    role,
    ...(name !== undefined && { name }),
    ...(description && { description }),
    permissions: [...permissions],
    inherits: [...inherits],
    effective_permissions: [...effective].toSorted(),
    built_in: role === 'owner' || isBuiltIn(role),
  };
}

export const findRole = (role: string, definitions: Definitions): DefinedRole | undefined =>
  role === 'owner' || isRole(definitions, role) ? toRole(role, definitions) : undefined;

/** All roles: those of every project first, then those of this one, sorted. */
export function toRoles(definitions: Definitions): DefinedRole[] {
  const own = Object.keys(definitions.roles).filter((role) => !isBuiltIn(role));
  return ['owner', 'admin', 'member', ...own.toSorted()].map((role) => toRole(role, definitions));
}

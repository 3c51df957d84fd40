import { type Change, noChange } from '../db/change.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { isBuiltIn } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import {
  type Definitions,
  problemOfSize,
  type RoleDefinition,
  roleOf,
  toStored,
} from './definitions.ts';
import { changeDefinitions, type Roles } from './stored.ts';

type PermissionDefinition = Definitions['permissions'][string];

/**
 * Defines a permission of a project, and returns its definition. Throws `permission_limit_reached` or
 * `invalid_request`. Stale if the roles of the project changed.
 */
export function definePermission(
  roles: Roles,
  permission: string,
  { description }: PermissionDefinition,
): Change<PermissionDefinition> {
  const { permissions } = roles.definitions;
  const before = Object.hasOwn(permissions, permission) ? permissions[permission] : undefined;
  const definition: PermissionDefinition = description ? { description } : {};
  if (before && before.description === definition.description) return noChange(definition);
  if (!before && Object.keys(permissions).length >= limits.permissionsPerProject)
    throw new ApiError('permission_limit_reached');
  const next = { ...roles.definitions, permissions: { ...permissions, [permission]: definition } };
  return replaceBy(roles, next, {
    type: before ? 'permission.updated' : 'permission.created',
    data: { permission, ...definition },
    ...(before && { previous: { description: before.description ?? null } }),
  }).as(() => definition);
}

/** Deletes a permission of a project. Throws `permission_in_use`. Stale if the roles of the project changed. */
export function deletePermission(roles: Roles, permission: string): Change<void> {
  const { permissions, roles: defined } = roles.definitions;
  const holders = Object.keys(defined).filter((role) =>
    roleOf(roles.definitions, role)?.permissions.includes(permission),
  );
  if (holders.length > 0)
    throw new ApiError('permission_in_use', {
      detail: `The permission is held by: ${holders.join(', ')}`,
      members: { roles: holders },
    });
  const { [permission]: _, ...rest } = permissions;
  return replaceBy(
    roles,
    { ...roles.definitions, permissions: rest },
    { type: 'permission.deleted', data: { permission } },
  );
}

/**
 * Defines or replaces a role of a project, and returns the definitions of the project. `problemsOf` has found none.
 * Throws `role_limit_reached` or `invalid_request`. Stale if the roles of the project changed.
 */
export function defineRole(
  roles: Roles,
  role: string,
  fields: RoleDefinition,
): Change<Definitions> {
  const { definitions } = roles;
  // A role of every project holds nothing of this one until it is defined.
  const before = roleOf(definitions, role) ?? (isBuiltIn(role) ? { permissions: [] } : undefined);
  const definition = toStored(fields);
  if (before && canonicalJson(before) === canonicalJson(definition)) return noChange(definitions);
  const own = Object.keys(definitions.roles).filter((each) => !isBuiltIn(each));
  if (!before && own.length >= limits.rolesPerProject) throw new ApiError('role_limit_reached');
  const next = { ...definitions, roles: { ...definitions.roles, [role]: definition } };
  const { permissions, inherits = [] } = definition;
  return replaceBy(roles, next, {
    type: before ? 'role.updated' : 'role.created',
    data: { role, permissions, inherits },
    ...(before && {
      previous: { permissions: before.permissions, inherits: before.inherits ?? [] },
    }),
  }).as(() => next);
}

/** Deletes a role of a project, which nobody has. Stale if the roles of the project changed. */
export function deleteRole(roles: Roles, role: string): Change<void> {
  const { [role]: _, ...rest } = roles.definitions.roles;
  return replaceBy(
    roles,
    { ...roles.definitions, roles: rest },
    { type: 'role.deleted', data: { role } },
  );
}

function replaceBy(roles: Roles, definitions: Definitions, event: EventDraft): Change<void> {
  const problem = problemOfSize(definitions);
  if (problem) throw new ApiError('invalid_request', { errors: [problem] });
  return changeDefinitions(roles, definitions, event);
}

import { ApiError } from '../model/errors.ts';
import { isAction, policy } from '../model/policy.ts';
import { type Definitions, permissionsOfRole } from '../roles/definitions.ts';
import { type Principal, requirePermissions } from '../roles/principal.ts';
import type { Roles } from '../roles/stored.ts';
import type { ApiKeyItem } from './items.ts';

/** What a key says of what it may do. */
type Limits = { [K in 'role' | 'permissions']?: ApiKeyItem[K] | undefined };

/** Throws `invalid_request` that names each permission which neither the service nor the project has. */
export function requireDefined(
  permissions: readonly string[] = [],
  definitions: Definitions,
): void {
  const detail = 'Must be a permission of the service or of the project';
  const errors = permissions.flatMap((each, i) =>
    isAction(each) || Object.hasOwn(definitions.permissions, each)
      ? []
      : [{ pointer: `/body/permissions/${i}`, detail }],
  );
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
}

/**
 * What a key of a workspace may do there: what its role may, or of a list the permissions of the service that the role
 * has, and those that the project still defines.
 */
export function permissionsOfKey(
  { role = 'member', permissions }: Limits,
  definitions: Definitions,
): string[] {
  if (!permissions) return [...permissionsOfRole(role, definitions)];
  return permissions.filter((each) =>
    isAction(each) ? policy[each][role] === 'allow' : Object.hasOwn(definitions.permissions, each),
  );
}

/** Whether the table of the service says all that a key may do, whatever the project gives to roles. */
const isOfTable = ({ permissions = [] }: Limits): boolean => permissions.every(isAction);

/**
 * The principal who gets the text of a key of a workspace, with what their right to it rests on. Throws `forbidden`
 * unless they hold all that the key may do: nobody does more by a key than they may themselves.
 */
export function holding(
  principal: Principal | undefined,
  key: Limits,
  roles: Roles,
): Principal | undefined {
  if (!principal) return undefined;
  // A principal that acts by a role was read with it, and with the roles of the workspace.
  const knowing = { ...principal, roles: principal.roles ?? roles };
  requirePermissions(knowing, permissionsOfKey(key, roles.definitions));
  return isOfTable(key) ? principal : knowing;
}

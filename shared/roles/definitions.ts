import type { FieldError } from '../model/errors.ts';
import { isBuiltIn, isOwnRole } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { type Action, isAction, isGrantable, policy } from '../model/policy.ts';

/** A role of a project. For `admin` and `member`: what the project adds to them. */
export type RoleDefinition = {
  name?: string | undefined;
  description?: string | undefined;
  permissions: string[];
  /** Roles whose permissions it also has. */
  inherits?: string[] | undefined;
};

/** The permissions and roles that a project defines; in a workspace with roles of its own also these. */
export type Definitions = {
  permissions: Record<string, { description?: string | undefined }>;
  roles: Record<string, RoleDefinition>;
};

/** A role as it is stored: what is unset is absent, and each name of a list is in it once. */
export function toStored({
  name,
  description,
  permissions,
  inherits = [],
}: RoleDefinition): RoleDefinition {
  return {
    ...(name !== undefined && { name }),
    ...(description && { description }),
    permissions: [...new Set(permissions)].toSorted(),
    ...(inherits.length > 0 && { inherits: [...new Set(inherits)].toSorted() }),
  };
}

export const noDefinitions: Definitions = { permissions: {}, roles: {} };

/** What a member of a workspace is by the table; a role that a project defines is that of a member with more. */
export type MemberStanding = 'owner' | 'admin' | 'member';

/** Names of standings that are no role. */
const reservedNames: ReadonlySet<string> = new Set(['owner', 'invited', 'none', 'project']);
const isReservedName = (name: string): boolean => reservedNames.has(name);

const resourceOf = (permission: string): string => permission.slice(0, permission.indexOf(':'));

const reservedResources: ReadonlySet<string> = new Set(Object.keys(policy).map(resourceOf));
/** Whether a permission is of a resource of the service, for which a project defines none. */
export const isReservedPermission = (permission: string): boolean =>
  reservedResources.has(resourceOf(permission));

/** The role of this name that the project defines. A name may be that of a property of every object. */
export const roleOf = ({ roles }: Definitions, name: string): RoleDefinition | undefined =>
  Object.hasOwn(roles, name) ? roles[name] : undefined;

/** Whether members can have the role. */
export const isRole = (definitions: Definitions, name: string): boolean =>
  isBuiltIn(name) || roleOf(definitions, name) !== undefined;

/** Whether a role of the project may hold the permission. */
const isHoldable = ({ permissions }: Definitions, permission: string): boolean =>
  isAction(permission) ? isGrantable(permission) : Object.hasOwn(permissions, permission);

/** Whether it is the name of a permission of the service that roles can be given. */
export const isGrantableName = (permission: string): boolean =>
  isAction(permission) && isGrantable(permission);

const actions = Object.keys(policy) as Action[];

/**
 * What a role holds beyond what every member may do: its own permissions, those of the roles that it inherits from, and
 * those that the project gives all members. A role that does not exist holds the last alone.
 */
export function grantedBy(role: string, definitions: Definitions): Set<string> {
  const granted = new Set<string>();
  for (const name of closureOf(['member', role], definitions)) {
    const { permissions = [] } = roleOf(definitions, name) ?? {};
    // An admin holds all that a role can hold.
    for (const permission of name === 'admin' ? [...actions, ...permissions] : permissions)
      if (isHoldable(definitions, permission)) granted.add(permission);
  }
  return granted;
}

/** These roles, and those that they inherit from. */
function closureOf(names: readonly string[], definitions: Definitions): Set<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    roleOf(definitions, name)?.inherits?.forEach(add);
  };
  names.forEach(add);
  return found;
}

/** Every permission that somebody has in a workspace, of the service and of the project. */
export function permissionsOf(
  standing: MemberStanding,
  role: string,
  definitions: Definitions,
): Set<string> {
  const ofTable = actions.filter((action) => policy[action][standing] === 'allow');
  const more =
    standing === 'owner' ? Object.keys(definitions.permissions) : grantedBy(role, definitions);
  return new Set([...ofTable, ...more]);
}

/** The permissions of everybody who has the role. */
export const permissionsOfRole = (role: string, definitions: Definitions): Set<string> =>
  permissionsOf(role === 'admin' ? 'admin' : 'member', role, definitions);

/** Whether a role can do more in the service itself than every member. */
export const isManaging = (role: string, definitions: Definitions): boolean =>
  [...grantedBy(role, definitions)].some(isBeyondMembers);

const isBeyondMembers = (permission: string): boolean =>
  isAction(permission) && policy[permission].member !== 'allow';

/** What is wrong with the permissions of a role, of a project or of a workspace. */
export const problemsOfPermissions = (
  role: string,
  permissions: readonly string[],
  definitions: Definitions,
): FieldError[] =>
  permissions.flatMap((permission, i) =>
    wrong(`/body/permissions/${i}`, problemOfPermission(role, permission, definitions)),
  );

const wrong = (pointer: string, detail: string | undefined): FieldError[] =>
  detail === undefined ? [] : [{ pointer, detail }];

function problemOfName(role: string): string | undefined {
  if (isReservedName(role)) return 'Is a name that the service itself uses';
  return isOwnRole(role)
    ? "Must not begin with ws-, as the roles of a workspace's own do"
    : undefined;
}

/** What is wrong with a role as a project wants to define it. */
export function problemsOf(
  name: string,
  { permissions, inherits = [] }: RoleDefinition,
  definitions: Definitions,
): FieldError[] {
  return [
    ...wrong('/path/role', problemOfName(name)),
    ...problemsOfPermissions(name, permissions, definitions),
    ...inherits.flatMap((other, i) =>
      wrong(`/body/inherits/${i}`, problemOfInherited(name, other, definitions)),
    ),
  ];
}

function problemOfPermission(
  role: string,
  permission: string,
  definitions: Definitions,
): string | undefined {
  if (isBuiltIn(role) && isAction(permission))
    return 'What this role may do in the service is fixed';
  if (isHoldable(definitions, permission)) return undefined;
  return isAction(permission)
    ? 'Is no permission of admins, or one that only admins can have'
    : 'Must be a permission of the project';
}

function problemOfInherited(
  role: string,
  other: string,
  definitions: Definitions,
): string | undefined {
  if (isBuiltIn(role)) return 'This role inherits from none';
  if (!isRole(definitions, other)) return 'Must be a role of the project';
  return closureOf([other], definitions).has(role) ? 'Would inherit from itself' : undefined;
}

/** The error where the definitions of a project become too many, or too large. */
export function problemOfSize(definitions: Definitions): FieldError | undefined {
  return Buffer.byteLength(JSON.stringify(definitions)) > limits.roleDefinitions
    ? {
        pointer: '/body',
        detail: `The roles and permissions of the project would have more than ${limits.roleDefinitions / 1_024} KiB`,
      }
    : undefined;
}

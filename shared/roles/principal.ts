import type { UsedKey } from '../access/caller.ts';
import { ApiError } from '../model/errors.ts';
import { isBuiltIn, isOwnRole } from '../model/fields.ts';
import type { MemberItem, WorkspaceItem } from '../workspaces/items.ts';
import {
  grantedBy,
  isManaging,
  isRole,
  type MemberStanding,
  permissionsOf,
  permissionsOfRole,
} from './definitions.ts';
import { getRolesIn } from './own-roles.ts';
import { getRoles, type Roles } from './stored.ts';

/**
 * Who acts in a workspace, and what their right rests on: the transaction checks again that the member has this role
 * and is active, that the API key lives, and that the roles are those that were read.
 */
export type Principal = {
  standing: MemberStanding;
  role: string;
  /** Read only where the role is one that the project or the workspace defines. */
  roles?: Roles | undefined;
} & (
  | {
      /** The member who acts. */
      uid: string;
      /** The key of theirs that they act by. */
      key?: UsedKey | undefined;
    }
  | {
      uid?: undefined;
      /** The key of the workspace that acts. Its role and permissions never change; it only ends. */
      key: UsedKey;
    }
);

/** What an active member is in a workspace. Undefined for a stranger, and for a suspended member. */
export function standingIn(
  { owner_id }: Pick<WorkspaceItem, 'owner_id'>,
  member: MemberItem | undefined,
): MemberStanding | undefined {
  if (!member || member.suspended_at !== undefined) return undefined;
  if (owner_id === member.user_id) return 'owner';
  // A role that the project defines is that of a member with more.
  return member.role === 'admin' ? 'admin' : 'member';
}

/**
 * Who is counted where a person is limited. The keys of a workspace count together: who makes keys could make
 * another one for each new count.
 */
export const countedAs = (
  { uid }: Principal,
  { workspace_id }: Pick<WorkspaceItem, 'workspace_id'>,
): string => uid ?? workspace_id;

/** What the role of a principal holds beyond what every member may do; undefined where the table says it all. */
export const grantedToPrincipal = ({ role, roles }: Principal): ReadonlySet<string> | undefined =>
  roles && grantedBy(role, roles.definitions);

/**
 * The roles of a project, if one of these is defined by it, with those of the workspace if one is its own. Read beside
 * the authorization, to check what is given.
 */
export async function getRolesToGive(
  project_id: string,
  workspace_id: string,
  ...roleNames: readonly string[]
): Promise<Roles | undefined> {
  if (roleNames.every(isBuiltIn)) return undefined;
  return roleNames.some(isOwnRole) ? getRolesIn(project_id, workspace_id) : getRoles(project_id);
}

/** The permissions of a role that a principal does not have, sorted. */
function lacking(
  { standing, role }: Principal,
  roleName: string,
  { definitions }: Roles,
): string[] {
  const own = permissionsOf(standing, role, definitions);
  return [...permissionsOfRole(roleName, definitions)].filter((each) => !own.has(each)).toSorted();
}

/** What somebody lacks to give members a role: the right to change roles, or permissions of the role. */
function missingToGive(principal: Principal, role: string, roles: Roles | undefined): string[] {
  const { standing, roles: own } = principal;
  if (role === 'member' || standing === 'owner') return [];
  // The owner and admins may make admins.
  if (role === 'admin' && standing === 'admin') return [];
  const mayChange =
    standing === 'admin' || grantedToPrincipal(principal)?.has('member:change-role');
  // Those of a principal by a role have all that such a role is checked against.
  const effectiveRoles = own ?? roles;
  return mayChange && effectiveRoles
    ? lacking(principal, role, effectiveRoles)
    : ['member:change-role'];
}

/**
 * Throws unless the caller may give members this role: nobody gives more than they hold. A caller with a role of
 * the project must also be allowed to change roles, unless it is `member`. Throws `invalid_request` if there is no such
 * role, or `forbidden`.
 *
 * @param principal undefined for a backend, which may give every role
 * @param roles of `getRolesToGive`
 */
export const requireMayGive = (
  principal: Principal | undefined,
  role: string,
  roles: Roles | undefined,
): void => requireMayGiveEach(principal, [{ role, pointer: '/body/role' }], roles);

/** Throws what `requireMayGive` throws, naming each role that there is not. */
export function requireMayGiveEach(
  principal: Principal | undefined,
  assignments: readonly { role: string; pointer: string }[],
  roles: Roles | undefined,
): void {
  const unknown = assignments.filter(({ role }) => roles && !isRole(roles.definitions, role));
  const detail = 'Must be a role of the project or of the workspace';
  if (unknown.length > 0)
    throw new ApiError('invalid_request', {
      errors: unknown.map(({ pointer }) => ({ pointer, detail })),
    });
  const names = [...new Set(assignments.map(({ role }) => role))];
  // A member with the role could do more than the key may.
  if (principal?.key?.permissions && names.some((role) => role !== 'member'))
    throw new ApiError('forbidden', {
      detail: 'An API key that is limited to permissions gives no role but member',
    });
  if (!principal) return;
  const missing = names.flatMap((role) => missingToGive(principal, role, roles));
  requireNone([...new Set(missing)].toSorted());
}

/** The actions by which somebody gives members a role. */
const giving = [
  ...['member:add', 'member:change-role', 'invitation:create'],
  ...['join-request:approve', 'join-link:create'],
];

/** Whether the caller may give the role in some way, to show a choice. */
export function isAssignable(
  principal: Principal | undefined,
  role: string,
  roles: Roles,
): boolean {
  if (!principal) return true;
  const permissions = heldBy(principal, roles);
  return (
    giving.some((each) => permissions.has(each)) &&
    missingToGive(knowing(principal, roles), role, roles).length === 0
  );
}

/** Whether the caller may make a join link of the role, to show a choice. */
export function isAssignableByLink(
  principal: Principal | undefined,
  role: string,
  roles: Roles,
): boolean {
  if (!principal) return true;
  return (
    heldBy(principal, roles).has('join-link:create') &&
    mayGiveByLink(knowing(principal, roles), role, isBuiltIn(role) ? undefined : roles)
  );
}

const heldBy = ({ standing, role }: Principal, { definitions }: Roles) =>
  permissionsOf(standing, role, definitions);

/** A principal with the roles of the project, if theirs is one of these. */
const knowing = (principal: Principal, roles: Roles): Principal => ({
  ...principal,
  roles: isBuiltIn(principal.role) ? undefined : roles,
});

/**
 * Whether a link of this maker may give the role. A link is good for many, so only the owner makes one of a role that
 * manages the workspace.
 *
 * @param maker undefined for a backend
 */
export function mayGiveByLink(
  maker: Principal | undefined,
  role: string,
  roles: Roles | undefined,
): boolean {
  if (roles && !isRole(roles.definitions, role)) return false;
  if (!maker || maker.standing === 'owner') return true;
  return !isForOwners(role, roles) && missingToGive(maker, role, roles).length === 0;
}

/** Whether only the owner, of all people, may create a join link with this role. */
export const isForOwners = (role: string, roles: Roles | undefined): boolean =>
  role === 'admin' || (roles !== undefined && isManaging(role, roles.definitions));

/** Whether it is a key of the workspace that holds a list of permissions alone, whatever its role. */
const isLimitedKey = (principal: Principal): boolean =>
  principal.uid === undefined && principal.key.permissions !== undefined;

/**
 * What forbids the caller to change a member, or who is invited: nobody changes those above them. Admins change every
 * member but the owner; a limited key of the workspace changes plain members alone, because its maker may hold no more
 * than its list.
 */
export function refusalToManage(
  principal: Principal | undefined,
  { role }: Pick<MemberItem, 'role'>,
): ApiError | undefined {
  if (principal && isLimitedKey(principal)) {
    const detail = 'A limited API key manages plain members alone';
    return role === 'member' ? undefined : new ApiError('forbidden', { detail });
  }
  if (principal?.standing !== 'member' || !principal.roles) return undefined;
  return refusalFor(lacking(principal, role, principal.roles));
}

/** Throws `forbidden` unless the caller may change a member, or who is invited. */
export function requireMayManage(...of: Parameters<typeof refusalToManage>): void {
  const refusal = refusalToManage(...of);
  if (refusal) throw refusal;
}

/** Throws `forbidden` if somebody would get more into their hands than they hold, such as an API key. */
export function requirePermissions(
  principal: Principal & { roles: Roles },
  permissions: readonly string[],
): void {
  const { standing, role, roles } = principal;
  // What only an admin may do, to accept the ownership, is nothing to an owner.
  if (standing === 'owner') return;
  const own = permissionsOf(standing, role, roles.definitions);
  requireNone(permissions.filter((each) => !own.has(each)));
}

function requireNone(missing: string[]): void {
  const refusal = refusalFor(missing);
  if (refusal) throw refusal;
}

const refusalFor = (missing: string[]): ApiError | undefined =>
  missing.length === 0
    ? undefined
    : new ApiError('forbidden', {
        detail: `Your role lacks: ${missing.join(', ')}`,
        members: { missing },
      });

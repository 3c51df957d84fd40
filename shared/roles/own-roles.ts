import { attributeUnchanged, type Condition, where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { isOwnRole } from '../model/fields.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import { getWorkspace } from '../workspaces/workspaces.ts';
import type { RoleDefinition } from './definitions.ts';
import { getRoles, type Roles } from './stored.ts';

/**
 * The roles that a workspace defines for itself. They are a part of its item, which every request in it reads anyway,
 * and small (`limits.ownRoles`), because each change of the workspace writes the item. Their names begin with `ws-`, so
 * that none is ever a role of the project.
 */
export type OwnRoles = Record<string, RoleDefinition>;

type Owner = Pick<WorkspaceItem, 'own_roles'>;

export const ownRolesOf = ({ own_roles }: Owner): OwnRoles =>
  own_roles === undefined ? {} : (JSON.parse(own_roles) as OwnRoles);

/** The roles that members of a workspace can have: those of the project and those of its own. */
export function withOwnRoles(roles: Roles, workspace: Owner): Roles {
  const { own_roles } = workspace;
  if (own_roles === undefined) return roles;
  const { definitions } = roles;
  const all = { ...definitions.roles, ...ownRolesOf(workspace) };
  return { ...roles, own_roles, definitions: { ...definitions, roles: all } };
}

/** The roles of a project with those of a workspace. Reads both in one batch with the other reads of the turn. */
export async function getRolesIn(project_id: string, workspace_id: string): Promise<Roles> {
  const [roles, workspace] = await Promise.all([
    getRoles(project_id),
    getWorkspace(project_id, workspace_id),
  ]);
  return withOwnRoles(roles, workspace ?? {});
}

/** What must not have changed for `If-Match`, of a workspace that has roles: any change of them is one of each. */
export const ownRolesItem = ({ workspace_id, own_roles }: WorkspaceItem): Item => ({
  ...keys.workspace(workspace_id),
  own_roles,
});

/** True while the workspace's own roles are those that were read. */
export const ownRolesUnchanged = ({ own_roles }: Owner): Condition =>
  attributeUnchanged('own_roles', own_roles);

/**
 * Conditions on the workspace at the commit: the own role by which a principal acts is defined as it was read. None for
 * who acts by another role.
 */
export const actingRoleUnchanged = (
  principal: { role: string; roles?: Roles | undefined } | undefined,
): Condition[] =>
  principal?.roles && isOwnRole(principal.role) ? [ownRolesUnchanged(principal.roles)] : [];

/**
 * Conditions on the workspace at the commit: where a role that is given is its own, it is defined as it was read. Else
 * somebody could get more than the giver holds, or a name that gives nothing now and much once it is defined again.
 */
export const assignedRolesUnchanged = (
  { own_roles }: Owner,
  ...roleNames: readonly string[]
): Condition[] => {
  if (!roleNames.some(isOwnRole)) return [];
  // Named apart from what `ownRolesUnchanged` names, which may come from another read.
  return own_roles === undefined
    ? [where('attribute_not_exists(#own_roles)')]
    : [where('#own_roles = :own_roles_given', { own_roles_given: own_roles })];
};

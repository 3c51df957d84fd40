import type {
  Person,
  ProjectCaller,
  VerifiedCaller,
  WorkspaceKeyCaller,
} from '../access/caller.ts';
import { ApiError, notFound } from '../model/errors.ts';
import { isBuiltIn } from '../model/fields.ts';
import { type Action, allow, dependsOnRole, policy, type Standing } from '../model/policy.ts';
import { withOwnRoles } from '../roles/own-roles.ts';
import { grantedToPrincipal, type Principal, standingIn } from '../roles/principal.ts';
import { getKnownRoles, getRoles, type Roles } from '../roles/stored.ts';
import { isSinceRestored, type MemberItem, type WorkspaceItem } from './items.ts';
import { getMember } from './members/members.ts';
import { profileOf } from './members/profile-projection.ts';
import { isCallerSingleFactor, requireSecondFactor } from './second-factor.ts';
import type { Reader } from './views.ts';
import { ownerOf, requireWorkspace } from './workspaces.ts';

/** The user recorded as the inviter of a member. For a backend and a key of the workspace that is its owner. */
export type Inviter = { uid: string; email: string };

/** A caller who may do what they ask for. */
export type Authorized = {
  workspace: WorkspaceItem;
  inviter: Inviter;
  /** The acting member or API key, whose right is checked again in the transaction. Undefined for a backend. */
  principal: Principal | undefined;
  reader: Reader;
  /** A person who has shown one factor alone. */
  singleFactor: boolean;
};

/**
 * Authorizes `action` in a workspace, and returns the workspace, the inviter, the principal and the reader. Throws
 * `not_found`, `forbidden` or `mfa_required`. Reads two items for a person and one for a program, in one batch with the
 * other reads of the handler; and the version of the project's roles where the answer may depend on them.
 *
 * @param find finds the workspace; pass another function if it may be deleted
 */
export async function authorize(
  caller: VerifiedCaller,
  action: Action,
  workspace_id: string,
  find = requireWorkspace,
): Promise<Authorized> {
  const { project_id } = caller;
  const uid = caller.kind === 'person' ? caller.uid : undefined;
  const [workspace, member, projectRoles, singleFactor] = await Promise.all([
    find(project_id, workspace_id),
    uid === undefined ? undefined : getMember(workspace_id, uid),
    uid !== undefined && dependsOnRole(action) ? getKnownRoles(project_id) : undefined,
    isCallerSingleFactor(caller),
  ]);
  if (caller.kind !== 'person') {
    const standing = standingOfProgram(caller, workspace);
    allow(action, standing);
    requireKeyPermission(caller, action);
    return {
      workspace,
      inviter: ownerOf(workspace),
      principal: principalOf(caller),
      // A limited key sees what a plain member sees: its maker may be one who holds no more than its list.
      reader: { seesAll: standing !== 'member' && caller.key?.permissions === undefined },
      singleFactor,
    };
  }
  const standing = standingIn(workspace, member);
  if (!member || !standing) return hide(action);
  // Members without a second factor may leave, and learn nothing of what is hidden from them.
  if (action !== 'member:leave' && policy[action][standing] !== 'hide')
    requireSecondFactor(workspace, singleFactor);
  const roles = await rolesFor(action, workspace, member, projectRoles);
  const principal = { uid: member.user_id, standing, role: member.role, roles, key: caller.key };
  allow(action, standing, grantedToPrincipal(principal));
  requireKeyPermission(caller, action);
  const inviter = { uid: member.user_id, email: profileOf(member).email };
  // A role that the project defines is that of a member who holds more, and sees no more.
  const reader = { uid: member.user_id, seesAll: standing !== 'member' };
  return { workspace, inviter, principal, reader, singleFactor };
}

/** What a backend, or the key of a workspace, is to a workspace: nothing, if that was restored since the key was read. */
function standingOfProgram(
  caller: ProjectCaller | WorkspaceKeyCaller,
  workspace: WorkspaceItem,
): Standing {
  if (caller.kind === 'project') return 'project';
  const isOwn =
    caller.workspace_id === workspace.workspace_id && isSinceRestored(caller.key, workspace);
  return isOwn ? caller.role : 'none';
}

/** A key of a workspace may be refused, and revoked; only a backend may give and change everything. */
const principalOf = (caller: ProjectCaller | WorkspaceKeyCaller): Principal | undefined =>
  caller.kind === 'workspace'
    ? { standing: caller.role, role: caller.role, key: caller.key }
    : undefined;

/** Throws `forbidden` if the caller has an API key that is limited to other actions. */
export function requireKeyPermission({ key }: Pick<VerifiedCaller, 'key'>, action: Action): void {
  if (key?.permissions && !key.permissions.includes(action))
    throw new ApiError('forbidden', { detail: `The API key lacks the permission ${action}` });
}

/** Throws `forbidden` if the caller has an API key that may not read workspaces: a list of them names each. */
export const requireListing = (caller: Pick<ProjectCaller | Person, 'key'>): void =>
  requireKeyPermission(caller, 'workspace:read');

/** Throws what the policy has for a stranger, who may do nothing. */
function hide(action: Action): never {
  allow(action, 'none');
  throw notFound('the caller is no member');
}

/**
 * The roles of the project and the workspace, where what the member may do depends on them. Read now if they were not
 * read before.
 */
async function rolesFor(
  action: Action,
  workspace: WorkspaceItem,
  { project_id, role }: MemberItem,
  projectRoles: Roles | undefined,
): Promise<Roles | undefined> {
  if (isBuiltIn(role) || !dependsOnRole(action)) return undefined;
  return withOwnRoles(projectRoles ?? (await getRoles(project_id)), workspace);
}

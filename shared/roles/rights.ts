import { getMember } from '../workspaces/members.ts';
import { getWorkspace } from '../workspaces/workspaces.ts';
import { permissionsOf } from './definitions.ts';
import { standingIn } from './manager.ts';
import { withOwnRoles } from './own-roles.ts';
import { getRoles, type Roles } from './stored.ts';

/** What a user is in a workspace, and everything that they may do there. */
export type Rights = { role: string; permissions: ReadonlySet<string> };

/**
 * The rights of a user in a workspace now. Undefined for who is no active member of it. Reads workspace, member and the
 * version of the roles, in one batch with the other reads of the turn.
 */
export async function readRights(
  project_id: string,
  workspace_id: string,
  uid: string,
  reading: Promise<Roles> = getRoles(project_id),
): Promise<Rights | undefined> {
  const [workspace, member, roles] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    getMember(workspace_id, uid),
    reading,
  ]);
  const standing = workspace && standingIn(workspace, member);
  if (!member || !standing) return undefined;
  const role = standing === 'owner' ? standing : member.role;
  const { definitions } = withOwnRoles(roles, workspace);
  return { role, permissions: permissionsOf(standing, member.role, definitions) };
}

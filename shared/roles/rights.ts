import type { MemberItem } from '../workspaces/items.ts';
import { getMember } from '../workspaces/members/members.ts';
import { asksForSecondFactor } from '../workspaces/second-factor.ts';
import { getWorkspace } from '../workspaces/workspaces.ts';
import { permissionsOf } from './definitions.ts';
import { withOwnRoles } from './own-roles.ts';
import { standingIn } from './principal.ts';
import { getRoles, type Roles } from './stored.ts';

/** What a user is in a workspace, and everything that they may do there. */
export type Rights = { role: string; permissions: ReadonlySet<string>; member: MemberItem };

/**
 * The rights of a user in a workspace now. Undefined for who is no active member of it, and for somebody who has shown
 * one factor where the workspace asks for two. Reads workspace, member and the version of the roles, in one batch with
 * the other reads of the turn.
 *
 * @param singleFactor whether the user has shown one factor only; false where a backend asks about somebody
 */
export async function readRights(
  project_id: string,
  workspace_id: string,
  uid: string,
  singleFactor: boolean | Promise<boolean>,
  reading: Promise<Roles> = getRoles(project_id),
): Promise<Rights | undefined> {
  const [workspace, member, isSingle, roles] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    getMember(workspace_id, uid),
    singleFactor,
    reading,
  ]);
  const standing = workspace && standingIn(workspace, member);
  if (!member || !standing || (isSingle && asksForSecondFactor(workspace))) return undefined;
  const role = standing === 'owner' ? standing : member.role;
  const { definitions } = withOwnRoles(roles, workspace);
  return { role, permissions: permissionsOf(standing, member.role, definitions), member };
}

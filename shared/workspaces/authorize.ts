import type { PersonCaller, ProjectCaller } from '../access/caller.ts';
import type { WorkspaceRole } from '../model/fields.ts';
import type { MemberItem, WorkspaceItem } from './items.ts';
import { getMember } from './members.ts';
import { type Action, allow, type Standing } from './policy.ts';
import { profileOf } from './profile-projection.ts';
import { ownerOf, requireWorkspace } from './workspaces.ts';

/** The user recorded as the inviter of a member. For a backend that is the owner of the workspace. */
export type Actor = { uid: string; email: string };

/**
 * Authorizes `action` in a workspace, and returns the workspace, the acting user and the caller's standing. Throws
 * `not_found` or `forbidden`. Reads two items for a person and one for a backend, in one batch with the other reads of
 * the handler.
 *
 * @param find finds the workspace; pass another function if it may be deleted
 */
export async function authorize(
  caller: ProjectCaller | PersonCaller,
  action: Action,
  workspace_id: string,
  find = requireWorkspace,
): Promise<{ workspace: WorkspaceItem; actor: Actor; standing: Standing }> {
  const [workspace, member] = await Promise.all([
    find(caller.project_id, workspace_id),
    caller.kind === 'person' ? getMember(workspace_id, caller.uid) : undefined,
  ]);
  const standing = standingOf(caller, workspace, member);
  allow(action, standing);
  const actor = member
    ? { uid: member.user_id, email: profileOf(member).email }
    : ownerOf(workspace);
  return { workspace, actor, standing };
}

/**
 * Authorizes an action before a write that itself requires the workspace to exist in the project. Reads nothing for a
 * backend, which may do everything. Throws `not_found` or `forbidden`.
 */
export async function authorizeForWrite(
  caller: ProjectCaller | PersonCaller,
  action: Action,
  workspace_id: string,
): Promise<void> {
  if (caller.kind === 'project') allow(action, 'project');
  else await authorize(caller, action, workspace_id);
}

/** The acting member. Their admin role is re-checked in the transaction. Undefined for a backend. */
export const actingMember = (caller: ProjectCaller | PersonCaller): string | undefined =>
  caller.kind === 'person' ? caller.uid : undefined;

function standingOf(
  caller: ProjectCaller | PersonCaller,
  workspace: WorkspaceItem,
  member: MemberItem | undefined,
): Standing {
  return caller.kind === 'project' ? 'project' : (roleIn(workspace, member) ?? 'none');
}

/**
 * What a member is in a workspace. Undefined for a stranger, and for a suspended member, so that access ends with the
 * next request.
 */
export function roleIn(
  { owner_id }: Pick<WorkspaceItem, 'owner_id'>,
  member: MemberItem | undefined,
): WorkspaceRole | undefined {
  if (!member || member.suspended_at !== undefined) return undefined;
  return owner_id === member.user_id ? 'owner' : member.role;
}

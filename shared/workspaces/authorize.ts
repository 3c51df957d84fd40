import type { PersonCaller, ProjectCaller } from '../access/caller.ts';
import type { MemberItem, WorkspaceItem } from './items.ts';
import { getMember } from './members.ts';
import { type Action, allow, type Standing } from './policy.ts';
import { profileOf } from './profile-projection.ts';
import { ownerOf, requireWorkspace } from './workspaces.ts';

/** Who acts, as a member records its inviter: for a project's back end the owner stands. */
export type Actor = { uid: string; email: string };

/**
 * The workspace, if the caller may do `action` there, and as whom. Throws `not_found` or `forbidden`.
 * Two reads for a person, one for a back end, in one round trip with whatever else the handler reads.
 * @param find finds the workspace, where it need not live.
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
 * As `authorize`, before a write that is itself held to the workspace's existence in the project: nothing is read
 * for the project's back end, which may do everything.
 */
export async function authorizeForWrite(
  caller: ProjectCaller | PersonCaller,
  action: Action,
  workspace_id: string,
): Promise<void> {
  if (caller.kind === 'project') allow(action, 'project');
  else await authorize(caller, action, workspace_id);
}

/** The person who acts, whose right is held at the commit too; nobody for a project's back end. */
export const actingMember = (caller: ProjectCaller | PersonCaller): string | undefined =>
  caller.kind === 'person' ? caller.uid : undefined;

function standingOf(
  caller: ProjectCaller | PersonCaller,
  workspace: WorkspaceItem,
  member: MemberItem | undefined,
): Standing {
  if (caller.kind === 'project') return 'project';
  // Suspended is like a stranger: access ends with the next request.
  if (!member || member.suspended_at !== undefined) return 'none';
  return workspace.owner_id === caller.uid ? 'owner' : member.role;
}

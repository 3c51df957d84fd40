import type { WorkspaceClaims } from '../access/access-token.ts';
import type { SessionItem } from '../access/live-session.ts';
import { roleIn } from './authorize.ts';
import { getMember } from './members.ts';
import { getWorkspace } from './workspaces.ts';

/**
 * The active workspace of a session as its access tokens name it: what the user is there now. Empty if none was chosen,
 * the workspace was deleted, or the user is no member any more or suspended. Who is admitted again has it again.
 */
export async function workspaceClaims({
  project_id,
  uid,
  workspace_id,
}: Pick<SessionItem, 'project_id' | 'uid'> & {
  workspace_id?: string | undefined;
}): Promise<WorkspaceClaims> {
  if (workspace_id === undefined) return {};
  const [workspace, member] = await Promise.all([
    getWorkspace(project_id, workspace_id),
    getMember(workspace_id, uid),
  ]);
  const workspace_role = workspace && roleIn(workspace, member);
  return workspace_role ? { workspace_id, workspace_role } : {};
}

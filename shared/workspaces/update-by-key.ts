import { type Change, update } from '../db/change.ts';
import { and } from '../db/condition.ts';
import { applied } from '../db/expressions.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { keys } from '../db/schema.ts';
import type { Manager } from '../roles/manager.ts';
import type { WorkspaceItem } from './items.ts';
import { byManager, changeMemberships } from './membership-transaction.ts';
import { type Given, updateOf, workspaceExists } from './workspaces.ts';

/**
 * Changes a workspace that was read, if the API key that acts and its right are there at the commit. Refused with
 * `unauthenticated` or `not_found`. Stale if the workspace changed.
 */
export function updateByKey(
  workspace: WorkspaceItem,
  given: Given,
  manager: Manager | undefined,
  now: Date,
): Change<WorkspaceItem> {
  const { workspace_id, project_id } = workspace;
  const modified_at = modifiedAt(now, workspace);
  const changes = updateOf(given, { set: { modified_at } });
  const writes = {
    workspace: update<WorkspaceItem>(
      keys.workspace(workspace_id),
      changes,
      and(workspaceExists(project_id), notModifiedAfter(modified_at)),
    ),
  };
  const after = applied(workspace, changes) as WorkspaceItem;
  return changeMemberships(byManager(writes, workspace_id, manager), after).expecting([workspace]);
}

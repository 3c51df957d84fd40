import type { Change } from '../db/change.ts';
import type { Principal } from '../roles/principal.ts';
import { byPrincipal } from './by-principal.ts';
import type { WorkspaceItem } from './items.ts';
import { changeInWorkspace } from './members/membership-transaction.ts';
import { updateOfRead, type WorkspaceChanges } from './update-workspace.ts';

/**
 * Changes a workspace that was read, if the API key that acts and its right are there at the commit. Refused with
 * `unauthenticated` or `not_found`. Stale if the workspace changed.
 */
export function updateByKey(
  workspace: WorkspaceItem,
  fields: WorkspaceChanges,
  principal: Principal | undefined,
  now: Date,
): Change<WorkspaceItem> {
  const { write, after } = updateOfRead(workspace, fields, now);
  const writes = byPrincipal({ workspace: write }, workspace.workspace_id, principal);
  return changeInWorkspace(writes, after).expecting([workspace]);
}

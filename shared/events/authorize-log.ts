import type { VerifiedCaller } from '../access/caller.ts';
import { getItem } from '../db/batch-loader.ts';
import { keys } from '../db/keys.ts';
import { notFound } from '../model/errors.ts';
import { allow } from '../model/policy.ts';
import { authorize } from '../workspaces/authorize.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import { getLogHead } from './log.ts';

/**
 * Authorizes the caller to read the log of a workspace: its admins, and the backend of the project. A backend may also
 * read the log of a deleted or purged workspace, which shows who deleted it. Throws `not_found`, `forbidden`
 * or `mfa_required`.
 */
export async function authorizeLog(caller: VerifiedCaller, workspace_id: string): Promise<void> {
  if (caller.kind !== 'project') {
    await authorize(caller, 'event:list', workspace_id);
    return;
  }
  const key = keys.workspace(workspace_id);
  // The log head alone is not enough: a workspace that was just created has none yet.
  const [workspace, head] = await Promise.all([getItem<WorkspaceItem>(key), getLogHead(key.pk)]);
  if ((workspace ?? head)?.project_id !== caller.project_id) throw notFound('no such workspace');
  allow('event:list', 'project');
}

import { getItem } from '../db/batch-loader.ts';
import { type Change, change, update, type Write } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import {
  externalIdUnchanged,
  findByExternalId,
  freeExternalId,
  takeExternalId,
} from '../directory/external-ids.ts';
import { getUser, type UserItem, userExists, userUnchanged } from '../identity/users/users.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { lifetimes, limits } from '../model/limits.ts';
import {
  type DeletedWorkspaceItem,
  externalIdHolder,
  isDeleted,
  type WorkspaceItem,
} from './items.ts';
import { ifWorkspaceGone } from './workspaces.ts';

/** The attributes of a deleted workspace. With them no read returns it. */
const deletion = (workspace: WorkspaceItem, now: Date, purged_in: number) => ({
  deleted_at: now.toISOString(),
  modified_at: modifiedAt(now, workspace),
  expires_at: epochSeconds(now) + purged_in,
});

/**
 * Deletes a workspace together with its owner, and frees its external id. Nobody can restore it, so it is purged after
 * a day.
 */
export function deletionWithOwner(
  workspace: WorkspaceItem,
  now: Date,
  condition: Condition,
): { deletion: Write; freed: Write | undefined } {
  const { purgedWorkspace, deletedWorkspace } = lifetimes;
  const set = {
    ...deletion(workspace, now, purgedWorkspace - deletedWorkspace),
    owner_email: '',
  };
  return {
    deletion: update(
      keys.workspace(workspace.workspace_id),
      withEvents({ set }, deleted),
      and(condition, externalIdUnchanged(workspace), notModifiedAfter(set.modified_at)),
    ),
    freed: freeExternalId('WORKSPACES', externalIdHolder(workspace)),
  };
}

const deleted: EventDraft = { type: 'workspace.deleted' };

/** True while the workspace is not deleted and has this owner. */
export const ownedBy = (owner_id: string): Condition =>
  where('attribute_not_exists(#deleted_at) AND #owner_id = :owner_id', { owner_id });

/** True while a user is below the limit of owned workspaces. */
export const belowOwnedLimit: Condition = where('#owned_workspace_count < :most_owned', {
  most_owned: limits.ownedWorkspacesPerUser,
});

/**
 * Deletes a workspace, decrements its owner's count, frees its external id, and returns it as deleted. Refused with
 * `not_found`. Stale if the owner or external id changed.
 */
export function deleteWorkspace(workspace: WorkspaceItem, now: Date): Change<DeletedWorkspaceItem> {
  const { workspace_id, owner_id } = workspace;
  const set = deletion(workspace, now, lifetimes.purgedWorkspace);
  return change(
    {
      workspace: update<WorkspaceItem>(
        keys.workspace(workspace_id),
        withEvents({ set }, deleted),
        and(ownedBy(owner_id), externalIdUnchanged(workspace), notModifiedAfter(set.modified_at)),
      ),
      freed: freeExternalId('WORKSPACES', externalIdHolder(workspace)),
      owner: update(keys.user(owner_id), { increment: { owned_workspace_count: -1 } }, userExists),
    },
    { ...workspace, ...set },
    ifWorkspaceGone,
  );
}

/**
 * Returns a workspace that is not deleted, or was deleted less than 30 days ago. Throws `not_found`, also for one that
 * is past that time and not yet purged: the time of the purge must not be visible.
 */
export async function requireRestorable(
  project_id: string,
  workspace_id: string,
  now: Date,
): Promise<WorkspaceItem | DeletedWorkspaceItem> {
  const workspace = await getItem<WorkspaceItem>(keys.workspace(workspace_id));
  if (!workspace || workspace.project_id !== project_id) throw notFound('no such workspace');
  if (isDeleted(workspace)) {
    // Workspaces deleted by old versions have no expiry and cannot be restored.
    const { expires_at = 0 } = workspace as Partial<DeletedWorkspaceItem>;
    const restorable = expires_at - lifetimes.purgedWorkspace + lifetimes.deletedWorkspace;
    if (restorable <= epochSeconds(now)) throw notFound('deleted too long ago to be restored');
  }
  return workspace;
}

/**
 * Restores a deleted workspace with its content, increments its owner's count, and returns it. Its API keys, join links
 * and join requests have ended with the deletion. Its members and invitations are available at once; the lists of their
 * users show it after the stream job has processed it. It has its external id again unless another workspace has that
 * by now. Throws `not_found` if its owner was deleted. Refused with `owned_workspace_limit_reached`.
 */
export async function restoreWorkspace(
  was: DeletedWorkspaceItem,
  now: Date,
): Promise<Change<WorkspaceItem>> {
  const { deleted_at, expires_at: _, external_id, ...workspace } = was;
  const { project_id, workspace_id, owner_id } = workspace;
  const [owner, holder] = await Promise.all([
    getUser(project_id, owner_id),
    external_id === undefined ? undefined : findByExternalId('WORKSPACES', project_id, external_id),
  ]);
  if (!owner) throw notFound('the owner was deleted');
  // While the workspace was deleted, no job refreshed the copy of the owner's e-mail.
  const set = {
    owner_email: owner.email,
    owner_version: owner.version,
    modified_at: modifiedAt(now, was),
    // With it, what the deletion ended stays ended, though the job that deletes it has not run yet.
    generation: (was.generation ?? 0) + 1,
  };
  const isLost = holder !== undefined;
  const changes = {
    set,
    remove: ['deleted_at', 'expires_at', ...(isLost ? ['external_id'] : [])],
  };
  const kept = external_id === undefined || isLost ? {} : { external_id };
  return change(
    {
      workspace: update(
        keys.workspace(workspace_id),
        withEvents(changes, { type: 'workspace.restored' }),
        and(where('#deleted_at = :deleted_at', { deleted_at }), notModifiedAfter(set.modified_at)),
      ),
      external_id: takeExternalId('WORKSPACES', externalIdHolder({ ...workspace, ...kept })),
      owner: update<UserItem>(
        keys.user(owner_id),
        { increment: { owned_workspace_count: 1 } },
        and(userUnchanged(owner), belowOwnedLimit),
      ),
    },
    { ...workspace, ...kept, ...set },
    (failed) => ifOwnsTooMany(failed.owner, owner),
  );
}

/**
 * The error if the condition failed because the user, unchanged since read, has reached the limit of owned workspaces.
 */
export const ifOwnsTooMany = (
  failed: UserItem | null | undefined,
  { version }: UserItem,
): ApiError | undefined =>
  failed?.version === version && failed.owned_workspace_count >= limits.ownedWorkspacesPerUser
    ? new ApiError('owned_workspace_limit_reached')
    : undefined;

import { getItem } from '../db/batch-loader.ts';
import {
  and,
  type Change,
  type Condition,
  change,
  update,
  type Write,
  where,
} from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { getUser, type UserItem, unchangedSince, userExists } from '../identity/users.ts';
import { ApiError, notFound } from '../model/errors.ts';
import type { EventDraft } from '../model/events.ts';
import { lifetimes, limits } from '../model/limits.ts';
import { type DeletedWorkspaceItem, isDeleted, type WorkspaceItem } from './items.ts';

/** What a workspace is from its deletion on, gone from every read. */
const deletion = (workspace: WorkspaceItem, now: Date, purged_in: number) => ({
  deleted_at: now.toISOString(),
  modified_at: modifiedAt(now, workspace),
  expires_at: epochSeconds(now) + purged_in,
});

/** Deletes a workspace with its owner: nobody can restore it, so it is purged a day later. */
export function deletionWithOwner(
  workspace: WorkspaceItem,
  now: Date,
  condition: Condition,
): Write {
  const { purgedWorkspace, deletedWorkspace } = lifetimes;
  const set = {
    ...deletion(workspace, now, purgedWorkspace - deletedWorkspace),
    owner_email: '',
  };
  return update(
    keys.workspace(workspace.workspace_id),
    withEvents({ set }, deleted),
    and(condition, notModifiedAfter(set.modified_at)),
  );
}

const deleted: EventDraft = { type: 'workspace.deleted' };

/** Holds while a workspace lives and is still its owner's. */
export const ownedBy = (owner_id: string): Condition =>
  where('attribute_not_exists(#deleted_at) AND #owner_id = :owner_id', { owner_id });

/** Holds while a user owns fewer workspaces than they may. */
export const belowOwnedLimit: Condition = where('#owned_workspace_count < :most_owned', {
  most_owned: limits.ownedWorkspacesPerUser,
});

/**
 * Deletes a workspace as it was read, counts it off its owner, and results in it. Refused with `not_found`; stale if it
 * has another owner by now.
 */
export function deleteWorkspace(workspace: WorkspaceItem, now: Date): Change<DeletedWorkspaceItem> {
  const { workspace_id, owner_id } = workspace;
  const set = deletion(workspace, now, lifetimes.purgedWorkspace);
  return change(
    {
      workspace: update<WorkspaceItem>(
        keys.workspace(workspace_id),
        withEvents({ set }, deleted),
        and(ownedBy(owner_id), notModifiedAfter(set.modified_at)),
      ),
      owner: update(keys.user(owner_id), { increment: { owned_workspace_count: -1 } }, userExists),
    },
    { ...workspace, ...set },
    ({ workspace: found }) =>
      found === null || found?.deleted_at !== undefined
        ? notFound('the workspace was deleted meanwhile')
        : undefined,
  );
}

/**
 * A workspace that lives, or was deleted less than 30 days ago. Throws `not_found`: whether it is purged by now must
 * not show.
 */
export async function requireRestorable(
  project_id: string,
  workspace_id: string,
  now: Date,
): Promise<WorkspaceItem | DeletedWorkspaceItem> {
  const workspace = await getItem<WorkspaceItem>(keys.workspace(workspace_id));
  if (!workspace || workspace.project_id !== project_id) throw notFound('no such workspace');
  if (isDeleted(workspace)) {
    // Deleted before deleted workspaces were kept, it has no end: it was gone for good.
    const { expires_at = 0 } = workspace as Partial<DeletedWorkspaceItem>;
    const restorable = expires_at - lifetimes.purgedWorkspace + lifetimes.deletedWorkspace;
    if (restorable <= epochSeconds(now)) throw notFound('deleted too long ago to be restored');
  }
  return workspace;
}

/**
 * Restores a deleted workspace with what it had, counts it to its owner again, and results in it. Members and invitations
 * are there at once; the lists of their users show them when the stream's job has gone through them. Throws `not_found`
 * where its owner was deleted; refused with `owned_workspace_limit_reached`.
 */
export async function restoreWorkspace(
  was: DeletedWorkspaceItem,
  now: Date,
): Promise<Change<WorkspaceItem>> {
  const { deleted_at, expires_at: _, ...workspace } = was;
  const { project_id, workspace_id, owner_id } = workspace;
  const owner = await getUser(project_id, owner_id);
  if (!owner) throw notFound('the owner was deleted');
  // While it was deleted no job kept the copy of the owner's e-mail.
  const set = {
    owner_email: owner.email,
    owner_version: owner.version,
    modified_at: modifiedAt(now, was),
  };
  const changes = { set, remove: ['deleted_at', 'expires_at'] };
  return change(
    {
      workspace: update(
        keys.workspace(workspace_id),
        withEvents(changes, { type: 'workspace.restored' }),
        and(where('#deleted_at = :deleted_at', { deleted_at }), notModifiedAfter(set.modified_at)),
      ),
      owner: update<UserItem>(
        keys.user(owner_id),
        { increment: { owned_workspace_count: 1 } },
        and(unchangedSince(owner), belowOwnedLimit),
      ),
    },
    { ...workspace, ...set },
    (failed) => ifOwnsTooMany(failed.owner, owner),
  );
}

/** The refusal where a condition failed because a user, who is as was read, owns as many workspaces as they may. */
export const ifOwnsTooMany = (
  failed: UserItem | null | undefined,
  { version }: UserItem,
): ApiError | undefined =>
  failed?.version === version && failed.owned_workspace_count >= limits.ownedWorkspacesPerUser
    ? new ApiError('owned_workspace_limit_reached')
    : undefined;

import { getItem } from '../db/batch-loader.ts';
import { type Change, type Changes, change, create, merged, update } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import { applied } from '../db/expressions.ts';
import { modifiedAt, notModifiedAfter, updateMonotonic } from '../db/modified-at.ts';
import type { RateLimitWrite } from '../db/rate-limits.ts';
import { itemWithEvents, withEvents } from '../db/outbox.ts';
import { keys } from '../db/schema.ts';
import { freeExternalId, takeExternalId } from '../directory/external-ids.ts';
import { type UserItem, unchangedSince } from '../identity/users.ts';
import {
  type Fields,
  type MetadataItem,
  metadataEvents,
  replaced,
  toAttributes,
} from '../metadata/stored.ts';
import { ApiError, notFound } from '../model/errors.ts';
import { newWorkspaceId } from '../model/ids.ts';
import { limits } from '../model/limits.ts';
import type { Metadata } from '../model/metadata.ts';
import { externalIdHolder, type WorkspaceItem } from './items.ts';
import { newMember } from './members.ts';

/** True while the workspace exists in the project. */
export const workspaceExists = (project_id: string): Condition =>
  where('#project_id = :project_id AND attribute_not_exists(#deleted_at)', { project_id });

/** The workspace. Undefined if it was deleted or is not in this project. */
export async function getWorkspace(
  project_id: string,
  workspace_id: string,
): Promise<WorkspaceItem | undefined> {
  const workspace = await getItem<WorkspaceItem>(keys.workspace(workspace_id));
  return workspace && isLiveIn(project_id, workspace) ? workspace : undefined;
}

/** True if a workspace is of the project and was not deleted. */
export const isLiveIn = (
  project_id: string,
  workspace: Pick<WorkspaceItem, 'project_id' | 'deleted_at'>,
): boolean => workspace.project_id === project_id && workspace.deleted_at === undefined;

/** The attributes that show a workspace, and whether it stands. */
export const shownOfWorkspace = [
  'workspace_id',
  'project_id',
  'name',
  'logo_url',
  'description',
  'owner_id',
  'owner_email',
  'allowed_domains',
  'total_member_count',
  'offered_to',
  'external_id',
  'mfa_required_at',
  'created_at',
  'modified_at',
  'deleted_at',
] as const;
export type ShownWorkspaceItem = Pick<WorkspaceItem, (typeof shownOfWorkspace)[number]>;

/** The workspace. Throws `not_found` if it was deleted or is not in this project. */
export async function requireWorkspace(
  project_id: string,
  workspace_id: string,
): Promise<WorkspaceItem> {
  const workspace = await getWorkspace(project_id, workspace_id);
  if (!workspace) throw notFound('no such workspace');
  return workspace;
}

export const ownerOf = ({ owner_id, owner_email }: WorkspaceItem) => ({
  uid: owner_id,
  email: owner_email,
});

const belowBothLimits = where('#workspace_count < :most AND #owned_workspace_count < :most_owned', {
  most: limits.workspacesPerUser,
  most_owned: limits.ownedWorkspacesPerUser,
});

/**
 * Creates a workspace with its owner as the first member, an admin, all or nothing. Refused with
 * `workspace_limit_reached`, `owned_workspace_limit_reached` or `external_id_taken`, or the error of a rate limit.
 */
export function createWorkspace(
  owner: UserItem,
  given: {
    name: string;
    logo?: string | null | undefined;
    description?: string | undefined;
    external_id?: string | undefined;
    mfa_required_at?: string | undefined;
    app_metadata?: Metadata | undefined;
    private_metadata?: Metadata | undefined;
  },
  now: Date,
  rate?: RateLimitWrite,
): Change<WorkspaceItem> {
  const workspace_id = newWorkspaceId(now);
  const { app_metadata, private_metadata } = given;
  const metadata = replaced({}, { app_metadata, private_metadata });
  const ofMetadata = metadataEvents('workspace.metadata_changed', {}, metadata);
  const workspace: WorkspaceItem = {
    ...keys.workspace(workspace_id),
    workspace_id,
    project_id: owner.project_id,
    name: given.name,
    ...(given.logo && { logo_url: given.logo }),
    ...(given.description && { description: given.description }),
    ...(given.external_id !== undefined && { external_id: given.external_id }),
    ...(given.mfa_required_at && { mfa_required_at: given.mfa_required_at }),
    ...(ofMetadata.length > 0 && { has_metadata: true as const }),
    owner_id: owner.uid,
    owner_email: owner.email,
    owner_version: owner.version,
    allowed_domains: [],
    total_member_count: 1,
    pending_member_count: 0,
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
  };
  const member = newMember('accepted', workspace, owner, 'admin', owner, now);
  return change(
    {
      workspace: create(itemWithEvents(workspace, { type: 'workspace.created' }, ...ofMetadata)),
      metadata: ofMetadata.length === 0 ? undefined : create(newMetadataItem(workspace, metadata)),
      external_id: takeExternalId('WORKSPACES', externalIdHolder(workspace)),
      member: create(member),
      owner: update<UserItem>(
        keys.user(owner.uid),
        { increment: { workspace_count: 1, owned_workspace_count: 1 } },
        and(unchangedSince(owner), belowBothLimits),
      ),
      rate: rate?.write,
    },
    workspace,
    ({ owner: found, external_id, ...failed }) => {
      if ((found?.owned_workspace_count ?? 0) >= limits.ownedWorkspacesPerUser)
        return new ApiError('owned_workspace_limit_reached');
      if ((found?.workspace_count ?? 0) >= limits.workspacesPerUser)
        return new ApiError('workspace_limit_reached');
      if (rate && 'rate' in failed) return rate.refusal;
      return found === undefined && external_id !== undefined
        ? new ApiError('external_id_taken')
        : undefined;
    },
  );
}

const newMetadataItem = (
  { workspace_id, project_id }: WorkspaceItem,
  metadata: Fields,
): MetadataItem => ({
  ...keys.workspaceMetadata(workspace_id),
  project_id,
  ...toAttributes(metadata),
});

/** Changes of a workspace; what is empty is cleared. */
export type Given = {
  name?: string | undefined;
  logo?: string | null | undefined;
  description?: string | undefined;
  mfa_required_at?: string | undefined;
};

/** The changes of the item of a workspace, with their event. */
const updateOf = (given: Given, more: Changes = {}): Changes =>
  withEvents(merged(changesOf(given), more), { type: 'workspace.updated' });

function changesOf({ name, logo, description, mfa_required_at }: Given): Changes {
  return {
    set: {
      name,
      logo_url: logo || undefined,
      description: description || undefined,
      mfa_required_at: mfa_required_at || undefined,
    },
    remove: [
      ...(logo === null || logo === '' ? ['logo_url'] : []),
      ...(description === '' ? ['description'] : []),
      ...(mfa_required_at === '' ? ['mfa_required_at'] : []),
    ],
  };
}

/** The write that changes a workspace that was read, and the workspace after it. */
export function updateOfRead(
  workspace: WorkspaceItem,
  given: Given,
  now: Date,
  more: Changes = {},
) {
  const { workspace_id, project_id } = workspace;
  const modified_at = modifiedAt(now, workspace);
  const changes = updateOf(given, merged({ set: { modified_at } }, more));
  const unmodified = and(workspaceExists(project_id), notModifiedAfter(modified_at));
  return {
    write: update<WorkspaceItem>(keys.workspace(workspace_id), changes, unmodified),
    after: applied(workspace, changes) as WorkspaceItem,
  };
}

/**
 * Changes a workspace that was read and its external id, empty for none. Refused with `external_id_taken`. Stale if the
 * workspace changed.
 */
export function updateWithExternalId(
  workspace: WorkspaceItem,
  { external_id, ...given }: Given & { external_id: string },
  now: Date,
): Change<WorkspaceItem> {
  const next = external_id === '' ? undefined : external_id;
  const { write, after } = updateOfRead(workspace, given, now, {
    set: { external_id: next },
    remove: next === undefined ? ['external_id'] : [],
  });
  return change(
    {
      workspace: write,
      external_id: takeExternalId('WORKSPACES', {
        ...externalIdHolder(workspace),
        external_id: next,
      }),
      freed: freeExternalId('WORKSPACES', externalIdHolder(workspace)),
    },
    after,
    (failed) =>
      failed.external_id !== undefined && failed.workspace === undefined
        ? new ApiError('external_id_taken')
        : undefined,
  ).expecting([workspace]);
}

/** Changes a workspace and returns the new item. Refused with `not_found`. */
export function updateWorkspace(
  project_id: string,
  workspace_id: string,
  given: Given,
  now: Date,
): Change<WorkspaceItem> {
  return updateMonotonic<WorkspaceItem>(
    {
      key: keys.workspace(workspace_id),
      changes: updateOf(given),
      condition: workspaceExists(project_id),
    },
    now,
    () => getWorkspace(project_id, workspace_id),
    () => notFound('no such workspace'),
  );
}

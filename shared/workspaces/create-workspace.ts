import { type Change, change, create, update } from '../db/change.ts';
import { and, where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { itemWithEvents } from '../db/outbox.ts';
import type { RateLimitWrite } from '../db/rate-limits.ts';
import { takeExternalId } from '../directory/external-ids.ts';
import { type UserItem, userUnchanged } from '../identity/users/users.ts';
import {
  type Fields,
  type MetadataItem,
  metadataAttributes,
  metadataEvents,
  replaced,
} from '../metadata/stored.ts';
import { ApiError } from '../model/errors.ts';
import { newWorkspaceId } from '../model/ids.ts';
import { limits } from '../model/limits.ts';
import type { Metadata } from '../model/metadata.ts';
import { externalIdHolder, type WorkspaceItem } from './items.ts';
import { newMember } from './members/members.ts';

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
  fields: {
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
  const { app_metadata, private_metadata } = fields;
  const metadata = replaced({}, { app_metadata, private_metadata });
  const ofMetadata = metadataEvents('workspace.metadata_changed', {}, metadata);
  const workspace: WorkspaceItem = {
    ...keys.workspace(workspace_id),
    workspace_id,
    project_id: owner.project_id,
    name: fields.name,
    ...(fields.logo && { logo_url: fields.logo }),
    ...(fields.description && { description: fields.description }),
    ...(fields.external_id !== undefined && { external_id: fields.external_id }),
    ...(fields.mfa_required_at && { mfa_required_at: fields.mfa_required_at }),
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
        and(userUnchanged(owner), belowBothLimits),
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
      return external_id === undefined ? undefined : new ApiError('external_id_taken');
    },
  );
}

const newMetadataItem = (
  { workspace_id, project_id }: WorkspaceItem,
  metadata: Fields,
): MetadataItem => ({
  ...keys.workspaceMetadata(workspace_id),
  project_id,
  ...metadataAttributes(metadata),
});

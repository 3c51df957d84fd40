/** The DynamoDB items of a workspace, and functions that need nothing but them. */

import { attributeUnchanged, type Condition } from '../db/condition.ts';
import { archivedPrefix } from '../db/index-attributes.ts';
import type { Item } from '../db/item.ts';
import type { Role } from '../model/fields.ts';

export type WorkspaceItem = Item & {
  workspace_id: string;
  project_id: string;
  name: string;
  logo_url?: string;
  description?: string;
  owner_id: string;
  owner_email: string;
  /** The owner's `version` when `owner_email` was copied. */
  owner_version: number;
  allowed_domains: string[];
  /** The mode of each allowed domain. Absent on items written before modes existed. */
  domain_modes?: Record<string, JoinMode>;
  /** When each domain was verified, allowed or not. */
  proven_domains?: Record<string, string>;
  /**
   * Upper bounds for the live join links and join requests: expired ones are only subtracted when the limit is reached
   * and they are counted again.
   */
  join_link_count?: number;
  join_request_count?: number;
  /** The exact number of accepted members, updated in the transaction of each membership. */
  total_member_count: number;
  /** The last day (UTC) on which invitations were mailed, and how many were mailed on it. */
  mail_day?: string;
  mailed_count?: number;
  /** The exact number of pending invitations. */
  pending_member_count: number;
  created_at: string;
  modified_at: string;
  deleted_at?: string;
  /** How often it was restored. Absent if it never was. */
  generation?: number;
  /** Set while there is a metadata item of the workspace. */
  has_metadata?: true;
  /** The backend's own id of the workspace. */
  external_id?: string;
  /** The roles that the workspace defines for itself, as JSON. Absent if there are none. */
  own_roles?: string;
  /** From when on members need a second factor. Absent if they need none. */
  mfa_required_at?: string;
  /** The admin to whom the owner offers the workspace, and the id of that membership. */
  offered_to?: string;
  offered_member_id?: string;
  /** The user who became the owner by accepting, so that a second click gets the same response. */
  accepted_by?: string;
};

/**
 * What a domain does for users with a verified e-mail in it: `auto` lets them join, `suggest` shows them the workspace
 * and lets them request to join.
 */
export type JoinMode = 'suggest' | 'auto';

export type DomainMode = JoinMode | 'off';

/** A deleted workspace, which DynamoDB later purges. */
export type DeletedWorkspaceItem = WorkspaceItem & {
  deleted_at: string;
  /** Epoch seconds when it may be purged: a day after it can last be restored. */
  expires_at: number;
};

/** A workspace as the holder of its external id, if it has one. */
export const externalIdHolder = ({ project_id, workspace_id: id, external_id }: WorkspaceItem) => ({
  project_id,
  id,
  external_id,
});

export const isDeleted = (workspace: WorkspaceItem): workspace is DeletedWorkspaceItem =>
  workspace.deleted_at !== undefined;

/**
 * What ends with a deletion of its workspace, also where that is restored: API keys, join links and join requests. It
 * has the `generation` that the workspace had when it was made. No clock decides.
 */
export type EndingItem = Item & { generation?: number };

/** True if the item was made since the workspace was last restored. The stream job deletes the others. */
export const isSinceRestored = (
  { generation: made = 0 }: { generation?: number | undefined },
  { generation = 0 }: Pick<WorkspaceItem, 'generation'>,
): boolean => made >= generation;

/** The generation of an item that is made now. */
export const generationOf = ({ generation }: WorkspaceItem): { generation?: number } =>
  generation === undefined ? {} : { generation };

/** True while the workspace has not been restored since it, or an item that is still good, was read. */
export const notRestoredSince = ({ generation }: { generation?: number | undefined }): Condition =>
  attributeUnchanged('generation', generation);

/** A membership or a pending invitation, distinguished by the prefix of the sort key. */
export type MemberItem = Item & {
  member_id: string;
  workspace_id: string;
  project_id: string;
  user_id: string;
  role: Role;
  inviter_id: string;
  inviter_email: string;
  created_at: string;
  modified_at: string;
  /** A copy of the user's profile as JSON. The stream function refreshes it after the user changed. */
  profile: string;
  /** The user's `version` that `profile` was copied from. */
  profile_version: number;
  /** Its place among those of the user: by the status, or archived. */
  by_member_sk: string;
  /** The metadata of the member, as JSON. */
  app_metadata?: string;
  /** Set while the membership is suspended and grants no access. */
  suspended_at?: string;
  /**
   * Prefix of the digest of the token that created the membership, so that a repeated request with the token gets the
   * same response.
   */
  joined_by?: string;
};

/**
 * A pending membership. It expires by time alone, without a write. An expired one can be resent for a while; then
 * DynamoDB deletes it.
 */
export type InvitationItem = MemberItem & {
  invitation_expires_at: string;
  /** Epoch seconds, long after it expired: the TTL of the item. */
  expires_at: number;
  /** SHA-256 of the token in its link. */
  token_sha256: string;
  /**
   * The normalized mailbox that the mailed token verifies. It stays the same when the user, and the profile copy,
   * change to another e-mail.
   */
  mailbox: string;
  message?: string;
};

/** True if the invitation can still be accepted. It expires by time alone, without a write. */
export const isOpen = (
  { invitation_expires_at }: { invitation_expires_at: string },
  now: Date,
): boolean => invitation_expires_at > now.toISOString();

/** A member or invitation as the archive jobs read it. */
export type ArchivableItem = MemberItem & {
  /** Epoch seconds. */
  expires_at?: number;
  /** The `expires_at` of an invitation before it was archived. */
  kept_expires_at?: number;
};

/** True if the membership or invitation belongs to a deleted workspace. It is then not counted on its user. */
export const isArchived = (item: Item): boolean =>
  String(item['by_member_sk']).startsWith(archivedPrefix);

/** True while the item has the place in the index that it was read with, and so is archived or not as it was then. */
export const indexUnchanged = ({ by_member_sk }: MemberItem): Condition =>
  attributeUnchanged('by_member_sk', by_member_sk);

/** The items of a workspace in the table, and what they say by themselves. */

import type { Item } from '../db/item.ts';
import { archivedPrefix } from '../db/schema.ts';
import type { Role } from '../model/fields.ts';

export type WorkspaceItem = Item & {
  workspace_id: string;
  project_id: string;
  name: string;
  logo_url?: string;
  description?: string;
  owner_id: string;
  owner_email: string;
  /** The owner's `version` that `owner_email` is of. */
  owner_version: number;
  allowed_domains: string[];
  /** The mode of each allowed domain; none on items of before there were modes. */
  domain_modes?: Record<string, JoinMode>;
  /** When each domain that was proven was, allowed or not. */
  proven_domains?: Record<string, string>;
  /** At least the live join links, and the open requests: what expires is counted off where they are counted anew. */
  join_link_count?: number;
  join_request_count?: number;
  /** Accepted members, exactly: counted in the transaction of each membership. */
  total_member_count: number;
  /** How many invitations were mailed on the last day (UTC) on which any was. */
  mail_day?: string;
  mailed_count?: number;
  /** Pending invitations, exactly. */
  pending_member_count: number;
  created_at: string;
  modified_at: string;
  deleted_at?: string;
  /** The admin whom the owner offers the workspace to, and as which membership. */
  offered_to?: string;
  offered_member_id?: string;
  /** Who became the owner by accepting, so that a second click is answered like the first. */
  accepted_by?: string;
};

/**
 * What a domain does for people whose verified e-mail is in it: `auto` lets them in, `suggest` shows them the workspace
 * and lets them ask.
 */
export type JoinMode = 'suggest' | 'auto';

export type DomainMode = JoinMode | 'off';

/** A deleted workspace, until DynamoDB purges it. */
export type DeletedWorkspaceItem = WorkspaceItem & {
  deleted_at: string;
  /** Epoch seconds: when it may be purged, a day after the last moment in which it can be restored. */
  expires_at: number;
};

export const isDeleted = (workspace: WorkspaceItem): workspace is DeletedWorkspaceItem =>
  workspace.deleted_at !== undefined;

/** A membership or a pending invitation: the prefix of its sort key says which. */
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
  /** The user as JSON, refreshed by the stream function after the user changed. */
  profile: string;
  /** The user's `version` that `profile` shows. */
  profile_version: number;
  /** Present while an accepted membership gives no standing. */
  suspended_at?: string;
  /** The beginning of the digest of the token that made it: by it the same token is answered again. */
  joined_by?: string;
};

/**
 * A pending membership. Whether it is open or has expired is a matter of the time alone: nothing has to happen for it
 * to end. Expired it stays for a while, so that it can be sent again; then DynamoDB deletes it.
 */
export type InvitationItem = MemberItem & {
  invitation_expires_at: string;
  /** Epoch seconds, long after it expired. */
  expires_at: number;
  /** SHA-256 of the token that its link carries. */
  token_sha256: string;
  /** Whose mailbox the mailed token proves, normalized: the copy of the user goes on to another e-mail with them. */
  mailbox: string;
  message?: string;
};

/** Whether an invitation can be accepted: a matter of the time alone, so nothing has to happen for it to end. */
export const isOpen = (
  { invitation_expires_at }: { invitation_expires_at: string },
  now: Date,
): boolean => invitation_expires_at > now.toISOString();

/** A member or an invitation as the jobs look at it. */
export type ArchivableItem = MemberItem & {
  by_member_sk: string;
  /** Epoch seconds. */
  expires_at?: number;
  /** What an archived invitation's `expires_at` was. */
  kept_expires_at?: number;
};

/** Whether a membership, or an invitation, is of a workspace that was deleted: its user does not count it. */
export const isArchived = (item: Item): boolean =>
  String(item['by_member_sk']).startsWith(archivedPrefix);

import { getItem } from '../db/batch-loader.ts';
import {
  and,
  type Change,
  type Changes,
  type Condition,
  create,
  del,
  update,
  type Write,
  where,
} from '../db/change.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { query } from '../db/query.ts';
import type { RateLimitWrite } from '../db/rate-limits.ts';
import { byMember, keys, prefixes } from '../db/schema.ts';
import type { FirstVerification } from '../identity/credential-reset.ts';
import type { UserItem } from '../identity/users.ts';
import type { EventDraft } from '../model/events.ts';
import type { Role, Status } from '../model/fields.ts';
import { newMemberId } from '../model/ids.ts';
import { unchangedInvitation } from './invitations.ts';
import {
  type InvitationItem,
  isArchived,
  isOpen,
  type MemberItem,
  type WorkspaceItem,
} from './items.ts';
import {
  belowLimit,
  changeMemberships,
  decrementMemberships,
  incrementMemberships,
  memberLimit,
  mustNotExist,
  requireAdmin,
  workspaceUpdate,
  workspaceUpdateForMember,
} from './membership-transaction.ts';
import { endingOffer, type OfferEnd } from './ownership.ts';
import { projectProfile } from './profile-projection.ts';

/** A membership or invitation, not yet stored. Without a person who invited, the inviter is the owner. */
export function newMember(
  status: Status,
  workspace: WorkspaceItem,
  user: UserItem,
  role: Role,
  inviter: { uid: string; email: string },
  now: Date,
): MemberItem {
  const { workspace_id, project_id } = workspace;
  const key = status === 'accepted' ? keys.member : keys.invitation;
  return {
    ...key(workspace_id, user.uid),
    ...byMember(status, user.uid, workspace_id),
    member_id: newMemberId(now),
    workspace_id,
    project_id,
    user_id: user.uid,
    role,
    inviter_id: inviter.uid,
    inviter_email: inviter.email,
    created_at: now.toISOString(),
    modified_at: now.toISOString(),
    profile: projectProfile(user),
    profile_version: user.version,
  };
}

export const getMember = (workspace_id: string, uid: string): Promise<MemberItem | undefined> =>
  getItem<MemberItem>(keys.member(workspace_id, uid));

/** How a user joined by themselves. */
export type JoinMethod = 'invitation' | 'domain' | 'join_link' | 'join_request';

/** Characters of base64url (132 bits), so that a member item of usual size stays within one write unit. */
const joinedByLength = 22;

/** A new membership and what belongs to its transaction. */
export type NewMembership = {
  workspace: WorkspaceItem;
  user: UserItem;
  /** The user's invitation, open or expired. It is deleted. */
  invitation: InvitationItem | undefined;
  role: Role;
  inviter: { uid: string; email: string };
  /** The person who adds the user, who must still be an admin at the commit. */
  manager?: string | undefined;
  /** Condition on the workspace at the commit: it still admits the user. */
  condition?: Condition | undefined;
  /** How the user joined. Undefined if somebody added them. */
  via?: JoinMethod | undefined;
  /** The join link that was used. */
  link_id?: string;
  /** The first verification of the user's e-mail, if the invitation token proves it. */
  proof?: FirstVerification | undefined;
  /** The digest of the invitation token. */
  token_sha256?: string | undefined;
  /** The rate limit of the person who adds the user. */
  rate?: RateLimitWrite | undefined;
  /** Further writes of the same transaction. */
  writes?: Record<string, Write>;
};

/**
 * Adds an accepted member, deletes their invitation, and updates the counts of the workspace and the user, all or
 * nothing. An invited user keeps the member id. Refused with `not_found`, `member_limit_reached`,
 * `workspace_limit_reached` or `too_many_requests`.
 */
export function addMember(entry: NewMembership, now: Date): Change<MemberItem> {
  const { workspace, invitation, role, inviter, via, proof, token_sha256: digest } = entry;
  const { workspace_id } = workspace;
  const user = proof?.user ?? entry.user;
  const open = invitation && isOpen(invitation, now) ? invitation : undefined;
  const fresh = newMember('accepted', workspace, user, role, open ? inviterOf(open) : inviter, now);
  const { member_id, created_at } = open ?? fresh;
  const member = {
    ...fresh,
    member_id,
    created_at,
    modified_at: modifiedAt(now, open ?? fresh),
    ...(digest !== undefined && { joined_by: digest.slice(0, joinedByLength) }),
  };
  const { user_id } = member;
  const key = keys.invitation(workspace_id, user_id);
  const add = { total_member_count: 1, ...(invitation && { pending_member_count: -1 }) };
  const type = via === undefined ? 'workspace.member.added' : 'workspace.member.joined';
  const fact: EventDraft = {
    type,
    data: { user_id, member_id, role, via, link_id: entry.link_id },
  };
  const room = belowLimit(memberLimit, 1);
  const condition = entry.condition ? and(room, entry.condition) : room;
  return changeMemberships(
    {
      ...entry.writes,
      ...proof?.writes,
      workspace: workspaceUpdate(workspace_id, { add }, [fact], condition),
      member: create(member),
      invitation: invitation ? del(key, unchangedInvitation(invitation)) : mustNotExist(key),
      user: incrementMemberships(entry.user, proof),
      manager: requireAdmin(workspace_id, entry.manager),
    },
    member,
    { limit: { ...memberLimit, more: 1 }, rate: entry.rate },
  );
}

const inviterOf = ({ inviter_id: uid, inviter_email: email }: MemberItem) => ({ uid, email });

/** Changes the role of a member who is not the owner. Refused with `not_found`. */
export function changeRole(
  workspace: WorkspaceItem,
  member: MemberItem,
  { role, manager }: { role: Role; manager: string | undefined },
  now: Date,
): Change<MemberItem> {
  const { user_id, member_id } = member;
  const set = { role, modified_at: modifiedAt(now, member) };
  return changeMember(
    member,
    role === 'admin' ? undefined : endingOffer(workspace, user_id, now),
    { set },
    {
      type: 'workspace.member.role_changed',
      data: { user_id, member_id, role },
      previous: { role: member.role },
    },
    manager,
  ).as(() => ({ ...member, ...set }));
}

/**
 * Suspends or resumes a member who is not the owner, and returns the membership. A suspended member has no access from
 * the next request on. Refused with `not_found`.
 */
export function setSuspension(
  workspace: WorkspaceItem,
  member: MemberItem,
  { suspended, manager }: { suspended: boolean; manager: string | undefined },
  now: Date,
): Change<MemberItem> {
  const { user_id, member_id, role } = member;
  const modified_at = modifiedAt(now, member);
  const { suspended_at: _, ...rest } = member;
  return changeMember(
    member,
    suspended ? endingOffer(workspace, user_id, now) : undefined,
    suspended
      ? { set: { suspended_at: modified_at, modified_at } }
      : { set: { modified_at }, remove: ['suspended_at'] },
    {
      type: suspended ? 'workspace.member.suspended' : 'workspace.member.resumed',
      data: { user_id, member_id, role },
    },
    manager,
  ).as(() => ({ ...rest, ...(suspended && { suspended_at: modified_at }), modified_at }));
}

function changeMember(
  member: MemberItem,
  ending: OfferEnd | undefined,
  changes: Changes & { set: { modified_at: string } },
  fact: EventDraft,
  manager: string | undefined,
): Change<void> {
  const { workspace_id, user_id } = member;
  const condition = and(memberUnchanged(member), notModifiedAfter(changes.set.modified_at));
  return changeMemberships(
    {
      workspace: workspaceUpdateForMember(member, {}, fact, ending),
      member: update(keys.member(workspace_id, user_id), changes, condition),
      // An admin who changes themself is already checked by the member write: a transaction may contain an item only
      // once.
      manager: manager === user_id ? undefined : requireAdmin(workspace_id, manager),
    },
    undefined,
  );
}

/** Removes a member who is not the owner, and counts it. Refused with `not_found`. */
export function removeMember(
  workspace: WorkspaceItem,
  member: MemberItem,
  now: Date,
  by: { left: true } | { left: false; manager: string | undefined },
): Change<MemberItem> {
  const { workspace_id, user_id, member_id, role } = member;
  const type = by.left ? 'workspace.member.left' : 'workspace.member.removed';
  const fact: EventDraft = { type, data: { user_id, member_id, role } };
  return changeMemberships(
    {
      workspace: workspaceUpdateForMember(
        member,
        { add: { total_member_count: -1 } },
        fact,
        endingOffer(workspace, user_id, now),
      ),
      member: del(keys.member(workspace_id, user_id), memberUnchanged(member)),
      // In a workspace that was just restored, the user's count does not include this membership yet.
      user: isArchived(member) ? undefined : decrementMemberships(user_id),
      manager: by.left ? undefined : requireAdmin(workspace_id, by.manager),
    },
    member,
  );
}

/** True while the membership is unchanged since it was read, apart from the profile copy. */
const memberUnchanged = ({
  member_id,
  role,
  suspended_at,
  by_member_sk,
}: MemberItem): Condition => {
  const same = where(
    '#member_id = :member_id AND #role = :seen AND #by_member_sk = :by_member_sk',
    { member_id, seen: role, by_member_sk },
  );
  return suspended_at === undefined
    ? and(same, where('attribute_not_exists(#suspended_at)'))
    : and(same, where('#suspended_at = :suspended_at', { suspended_at }));
};

/** The attributes that a list needs. The others would double the bytes to send and parse. */
const listed = ['user_id', 'project_id', 'role', 'member_id', 'profile', 'suspended_at'] as const;
export type ListedMemberItem = Pick<MemberItem, (typeof listed)[number]>;

/** One page of the accepted members, in the order of their uids. */
export async function listMembers(
  workspace_id: string,
  page: { offset: number; limit: number; after?: string | undefined },
): Promise<{ members: ListedMemberItem[]; more: boolean }> {
  const { items } = await query<ListedMemberItem>({
    partition: keys.workspace(workspace_id).pk,
    prefix: prefixes.accepted,
    limit: page.offset + page.limit + 1,
    attributes: listed,
    ...(page.after !== undefined && { after: keys.member(workspace_id, page.after) }),
  });
  const members = items.slice(page.offset, page.offset + page.limit);
  return { members, more: items.length > page.offset + page.limit };
}

import { type ErrorCode, Failure, notFound } from '../errors.ts';
import { newMemberId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Role, Status } from '../model.ts';
import type { Item } from './item.ts';
import { profileCopy } from '../profile.ts';
import { query } from './query.ts';
import { getItem } from './read.ts';
import { byMember, keys, prefixes } from './shape.ts';
import { asRead, type UserItem, userWrites } from './users.ts';
import type { WorkspaceItem } from './workspaces.ts';
import {
  check,
  ConditionFailed,
  create,
  remove,
  transact,
  update,
  where,
  type Write,
} from './write.ts';

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
};

/** A membership with a status, not yet stored. Where nobody invited, the owner stands as the inviter. */
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
    profile: profileCopy(user),
    profile_version: user.version,
  };
}

/** The accepted membership of an invited user: the same member, now with a role and a current profile. */
function acceptedMember(invitation: MemberItem, user: UserItem, role: Role, now: Date): MemberItem {
  const { workspace_id, user_id } = invitation;
  return {
    ...invitation,
    ...keys.member(workspace_id, user_id),
    ...byMember('accepted', user_id, workspace_id),
    role,
    modified_at: now.toISOString(),
    profile: profileCopy(user),
    profile_version: user.version,
  };
}

export const getMember = (workspace_id: string, uid: string): Promise<MemberItem | undefined> =>
  getItem<MemberItem>(keys.member(workspace_id, uid));

export const getInvitation = (workspace_id: string, uid: string): Promise<MemberItem | undefined> =>
  getItem<MemberItem>(keys.invitation(workspace_id, uid));

/** How a user comes to be a member. */
type Entry = {
  workspace: WorkspaceItem;
  user: UserItem;
  /** The pending one, if there is one: it ends. */
  invitation: MemberItem | undefined;
  role: Role;
  inviter: { uid: string; email: string };
  /** The person who adds the user: an admin still when the write commits. */
  manager?: string | undefined;
  /** The e-mail domain that lets the user in: allowed still when the write commits. */
  domain?: string | undefined;
};

/**
 * Adds an accepted member, ends its invitation and counts both on the workspace, all or nothing.
 * An invited user keeps the member id. Throws `not_found`, `member_limit_reached`, or `StaleRead` if anything that
 * was read has changed.
 */
export async function addMember(entry: Entry, now: Date): Promise<MemberItem> {
  const { workspace, user, invitation, role, inviter, manager, domain } = entry;
  const { workspace_id } = workspace;
  const member = invitation
    ? acceptedMember(invitation, user, role, now)
    : newMember('accepted', workspace, user, role, inviter, now);
  const key = keys.invitation(workspace_id, user.uid);
  const add = { total_member_count: 1, ...(invitation && { pending_member_count: -1 }) };
  const writes = {
    workspace: count(workspace, memberLimit, add, domain),
    member: create(member),
    invitation: invitation ? remove(key, where('attribute_exists(#pk)')) : absent(key),
    user: isCurrent(user),
    ...stillAdmin(workspace_id, manager),
  };
  await write(writes, memberLimit);
  return member;
}

/**
 * Adds a pending member and counts it; a user who is new is stored in the same transaction.
 * As `addMember`; throws `invitation_limit_reached`.
 */
export async function addInvitation(
  workspace: WorkspaceItem,
  invitation: MemberItem,
  user: UserItem,
  isNew: boolean,
  manager?: string,
): Promise<void> {
  const { workspace_id, user_id } = invitation;
  const writes = {
    workspace: count(workspace, invitationLimit, { pending_member_count: 1 }),
    invitation: create(invitation),
    ...(isNew
      ? userWrites(user)
      : { member: absent(keys.member(workspace_id, user_id)), user: isCurrent(user) }),
    ...stillAdmin(workspace_id, manager),
  };
  await write(writes, invitationLimit);
}

/** Gives a member, never the owner, another role. Throws `not_found`, `owner_role_fixed` or `StaleRead`. */
export async function changeRole(
  member: MemberItem,
  role: Role,
  now: Date,
  manager?: string,
): Promise<void> {
  const { workspace_id, user_id } = member;
  const set = { role, modified_at: now.toISOString() };
  await write({
    workspace: check(
      keys.workspace(workspace_id),
      where('attribute_not_exists(#deleted_at) AND #owner_id <> :user_id', { user_id }),
    ),
    member: update(
      keys.member(workspace_id, user_id),
      { set },
      where('#role = :seen', { seen: member.role }),
    ),
    // A manager who changes their own role is the member item above: one transaction takes an item once.
    ...(manager !== user_id && stillAdmin(workspace_id, manager)),
  });
}

/** What a list shows of a member. The rest would be half of what is sent and parsed. */
const listed = ['user_id', 'project_id', 'role', 'member_id', 'profile'] as const;
export type ListedMemberItem = Pick<MemberItem, (typeof listed)[number]>;

/** One page of a workspace's members with a status, in the order of their uids. */
export async function listMembers(
  workspace_id: string,
  status: Status,
  page: { offset: number; limit: number; after?: string | undefined },
): Promise<{ members: ListedMemberItem[]; more: boolean }> {
  const key = status === 'accepted' ? keys.member : keys.invitation;
  const { items } = await query<ListedMemberItem>({
    partition: keys.workspace(workspace_id).pk,
    prefix: prefixes[status],
    limit: page.offset + page.limit + 1,
    attributes: listed,
    ...(page.after !== undefined && { after: key(workspace_id, page.after) }),
  });
  const members = items.slice(page.offset, page.offset + page.limit);
  return { members, more: items.length > page.offset + page.limit };
}

type MembershipWrites = Partial<
  Record<'workspace' | 'member' | 'invitation' | 'user' | 'guard' | 'manager', Write>
>;

/** A counter of a workspace with the most that it may be, and the failure beyond. */
type Limit = {
  counter: 'total_member_count' | 'pending_member_count';
  most: number;
  code: ErrorCode;
};
const memberLimit: Limit = {
  counter: 'total_member_count',
  most: limits.membersPerWorkspace,
  code: 'member_limit_reached',
};
const invitationLimit: Limit = {
  counter: 'pending_member_count',
  most: limits.invitationsPerWorkspace,
  code: 'invitation_limit_reached',
};

async function write(writes: MembershipWrites, limit?: Limit): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const now = error.failed.workspace as WorkspaceItem | null | undefined;
    if (now === null || now?.deleted_at !== undefined) throw notFound();
    if (now && limit && now[limit.counter] >= limit.most) throw new Failure(limit.code);
    throw error;
  }
}

function count(
  { workspace_id }: WorkspaceItem,
  { counter, most }: Limit,
  add: Partial<Record<Limit['counter'], number>>,
  domain?: string,
): Write {
  const exists = `attribute_exists(#pk) AND attribute_not_exists(#deleted_at) AND #${counter} < :most`;
  const condition = domain
    ? where(`${exists} AND contains(#allowed_domains, :domain)`, { most, domain })
    : where(exists, { most });
  return update(keys.workspace(workspace_id), { add }, condition);
}

function absent(key: { pk: string; sk: string }): Write {
  return check(key, where('attribute_not_exists(#pk)'));
}

/** Holds the copied profile to the user's current one: a change that comes later finds the copy and refreshes it. */
function isCurrent(user: UserItem): Write {
  return check(keys.user(user.uid), asRead(user));
}

function stillAdmin(workspace_id: string, manager: string | undefined): { manager?: Write } {
  if (manager === undefined) return {};
  return {
    manager: check(keys.member(workspace_id, manager), where('#role = :admin', { admin: 'admin' })),
  };
}

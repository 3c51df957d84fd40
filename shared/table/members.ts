import { type ErrorCode, Failure, notFound } from '../errors.ts';
import { newMemberId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { Role, Status } from '../model.ts';
import { StaleRead } from '../request.ts';
import { profileCopy } from '../views.ts';
import type { Item } from './item.ts';
import { query } from './query.ts';
import { getItem } from './read.ts';
import { byMember, keys, prefixes } from './shape.ts';
import { type UserItem, userWrites } from './users.ts';
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
export function acceptedMember(
  invitation: MemberItem,
  user: UserItem,
  role: Role,
  now: Date,
): MemberItem {
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

/**
 * Adds an accepted member, ends its invitation and counts both on the workspace, all or nothing.
 * `manager` is the person who acts: an admin at this very moment. Throws `not_found`, `member_limit_reached`, or
 * `StaleRead` if anything that was read has changed.
 */
export async function addMember(
  workspace: WorkspaceItem,
  member: MemberItem,
  invitation: MemberItem | undefined,
  manager?: string,
): Promise<void> {
  const { workspace_id, user_id, profile_version } = member;
  const key = keys.invitation(workspace_id, user_id);
  const writes = {
    workspace: count(workspace, {
      total_member_count: 1,
      ...(invitation && { pending_member_count: -1 }),
    }),
    member: create(member),
    invitation: invitation ? remove(key, where('attribute_exists(#pk)')) : absent(key),
    user: isVersion(user_id, profile_version),
    ...stillAdmin(workspace_id, manager),
  };
  await write(writes, 'member_limit_reached');
}

/**
 * Adds a pending member and counts it; a `newcomer`, whom nobody knew before, becomes a user in the same transaction.
 * As `addMember`; throws `invitation_limit_reached`.
 */
export async function addInvitation(
  workspace: WorkspaceItem,
  invitation: MemberItem,
  newcomer: UserItem | undefined,
  manager?: string,
): Promise<void> {
  const { workspace_id, user_id, profile_version } = invitation;
  const writes = {
    workspace: count(workspace, { pending_member_count: 1 }),
    invitation: create(invitation),
    ...(newcomer
      ? userWrites(newcomer)
      : {
          member: absent(keys.member(workspace_id, user_id)),
          user: isVersion(user_id, profile_version),
        }),
    ...stillAdmin(workspace_id, manager),
  };
  await write(writes, 'invitation_limit_reached');
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

/** `full` names the limit of the counter, if one moves: all that can stop it on a workspace that is there. */
async function write(writes: MembershipWrites, full?: ErrorCode): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const now = error.failed.workspace as WorkspaceItem | null | undefined;
    if (now === null || now?.deleted_at !== undefined) throw notFound();
    if (now && full) throw new Failure(full);
    throw new StaleRead();
  }
}

function count(
  { workspace_id }: WorkspaceItem,
  add: { total_member_count?: number; pending_member_count?: number },
): Write {
  const limit = add.total_member_count ? 'total_member_count' : 'pending_member_count';
  const most = add.total_member_count ? limits.membersPerWorkspace : limits.invitationsPerWorkspace;
  return update(
    keys.workspace(workspace_id),
    { add },
    where(`attribute_exists(#pk) AND attribute_not_exists(#deleted_at) AND #${limit} < :most`, {
      most,
    }),
  );
}

function absent(key: { pk: string; sk: string }): Write {
  return check(key, where('attribute_not_exists(#pk)'));
}

/** Holds the copied profile to the user's current one: a change that comes later finds the copy and refreshes it. */
function isVersion(uid: string, version: number): Write {
  return check(keys.user(uid), where('#version = :seen', { seen: version }));
}

function stillAdmin(workspace_id: string, manager: string | undefined): { manager?: Write } {
  if (manager === undefined) return {};
  return {
    manager: check(keys.member(workspace_id, manager), where('#role = :admin', { admin: 'admin' })),
  };
}

import { getItem } from '../../db/batch-loader.ts';
import { byMember, byRole } from '../../db/index-attributes.ts';
import { withLacking } from '../../db/item.ts';
import { prefixes } from '../../db/key-prefixes.ts';
import { keys } from '../../db/keys.ts';
import { query } from '../../db/query.ts';
import type { UserItem } from '../../identity/users/users.ts';
import type { Role, Status } from '../../model/fields.ts';
import { newMemberId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { MemberItem, WorkspaceItem } from '../items.ts';
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
    ...byRole(project_id, role, workspace_id, user.uid),
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

/** A member that a change expects unchanged. */
export const expectedMember = (member: MemberItem): MemberItem =>
  withLacking(member, 'app_metadata', 'suspended_at');

/** The attributes that a list needs. The others would double the bytes to send and parse. */
const listed = ['user_id', 'project_id', 'role', 'member_id', 'profile', 'suspended_at'] as const;
export type ListedMemberItem = Pick<MemberItem, (typeof listed)[number]>;

/** Items before a page that are read along with it. Counting more of them first is a call, and takes less time. */
const nearOffset = 500;

/** One page of the accepted members, in the order of their uids. */
export async function listMembers(
  workspace_id: string,
  { offset, limit, after }: Page,
): Promise<{ members: ListedMemberItem[]; more: boolean }> {
  const skip = offset > nearOffset ? offset : 0;
  const begin = offset - skip;
  const { items } = await query<ListedMemberItem>({
    partition: keys.workspace(workspace_id).pk,
    prefix: prefixes.accepted,
    limit: begin + limit + 1,
    skip,
    attributes: listed,
    ...(after !== undefined && { after: keys.member(workspace_id, after) }),
  });
  const members = items.slice(begin, begin + limit);
  return { members, more: items.length > begin + limit };
}

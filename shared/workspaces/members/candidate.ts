import { getUser, type UserItem } from '../../identity/users/users.ts';
import { ApiError } from '../../model/errors.ts';
import { getInvitation } from '../invitations/invitations.ts';
import type { InvitationItem, MemberItem } from '../items.ts';
import { getJoinRequest, type JoinRequestItem } from '../joining/join-requests.ts';
import { getMember } from './members.ts';

/**
 * A user who may become a member of a workspace, with the items that decide it. Each is undefined if it does not exist.
 */
export type Candidate = {
  user: UserItem | undefined;
  member: MemberItem | undefined;
  /** Open or expired: check `isOpen`. */
  invitation: InvitationItem | undefined;
  /** Live or ended: check `isLiveItem`. */
  request: JoinRequestItem | undefined;
};

/** Throws `already_member` if a member has another role than the one asked for. */
export function requireSameRole(member: MemberItem | undefined, role: string | undefined): void {
  if (member && role !== undefined && member.role !== role)
    throw new ApiError('already_member', {
      detail: `The user is a member as ${member.role}`,
      members: { member_id: member.member_id },
    });
}

/**
 * Reads a user with their membership, invitation and join request in one workspace. The four reads share one
 * BatchGetItem with the other reads of the same turn, so a caller starts them beside its own.
 */
export async function readCandidate(
  project_id: string,
  workspace_id: string,
  uid: string,
): Promise<Candidate> {
  const [user, member, invitation, request] = await Promise.all([
    getUser(project_id, uid),
    getMember(workspace_id, uid),
    getInvitation(workspace_id, uid),
    getJoinRequest(workspace_id, uid),
  ]);
  return { user, member, invitation, request };
}

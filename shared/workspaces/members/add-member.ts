import { type Change, create, del, type Write } from '../../db/change.ts';
import { and, type Condition } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { modifiedAt } from '../../db/modified-at.ts';
import type { RateLimitWrite } from '../../db/rate-limits.ts';
import type { FirstVerification } from '../../identity/sign-in/credential-reset.ts';
import type { UserItem } from '../../identity/users/users.ts';
import type { EventDraft } from '../../model/events.ts';
import type { Role } from '../../model/fields.ts';
import { assignedRolesUnchanged } from '../../roles/own-roles.ts';
import { type Principal, requireMayManage } from '../../roles/principal.ts';
import { byPrincipal } from '../by-principal.ts';
import { invitationUnchanged } from '../invitations/invitations.ts';
import { type InvitationItem, isOpen, type MemberItem, type WorkspaceItem } from '../items.ts';
import { newMember } from './members.ts';
import {
  belowLimit,
  changeInWorkspace,
  incrementMemberships,
  memberLimit,
  mustNotExist,
  workspaceUpdate,
} from './membership-transaction.ts';

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
  /** Whether the member is suspended from the beginning. */
  suspended?: true | undefined;
  /** The person who adds the user, whose right is checked again at the commit. */
  principal?: Principal | undefined;
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
  /** The workspaces beyond which the user is not added; by default as many as a user may have. */
  mostWorkspaces?: number;
  /** The rate limit of the person who adds the user. */
  rate?: RateLimitWrite | undefined;
  /** Further writes of the same transaction. */
  writes?: Record<string, Write>;
};

/**
 * Adds an accepted member, deletes their invitation, and updates the counts of the workspace and the user, all or
 * nothing. An invited user keeps the member id. Throws `forbidden` to who adds a user with an invitation that they may
 * not revoke. Refused with `not_found`, `member_limit_reached`, `workspace_limit_reached` or `too_many_requests`.
 */
export function addMember(entry: NewMembership, now: Date): Change<MemberItem> {
  const {
    workspace,
    invitation,
    role,
    inviter,
    suspended,
    via,
    proof,
    token_sha256: digest,
  } = entry;
  const { workspace_id } = workspace;
  const user = proof?.user ?? entry.user;
  const open = invitation && isOpen(invitation, now) ? invitation : undefined;
  // The principal of a join link made it: the invited user themself ends the invitation.
  if (open && via !== 'join_link') requireMayManage(entry.principal, open);
  const fresh = newMember('accepted', workspace, user, role, open ? inviterOf(open) : inviter, now);
  const { member_id, created_at } = open ?? fresh;
  const modified_at = modifiedAt(now, open ?? fresh);
  const member = {
    ...fresh,
    member_id,
    created_at,
    modified_at,
    ...(suspended && { suspended_at: modified_at }),
    ...(digest !== undefined && { joined_by: digest.slice(0, joinedByLength) }),
  };
  const { user_id } = member;
  const key = keys.invitation(workspace_id, user_id);
  const add = { total_member_count: 1, ...(invitation && { pending_member_count: -1 }) };
  const type = via === undefined ? 'workspace.member.added' : 'workspace.member.joined';
  const event: EventDraft = {
    type,
    data: { user_id, member_id, role, via, link_id: entry.link_id },
  };
  const suspension: EventDraft = {
    type: 'workspace.member.suspended',
    data: { user_id, member_id, role },
  };
  const events = suspended ? [event, suspension] : [event];
  const condition = and(belowLimit(memberLimit, 1), entry.condition);
  const conditions = assignedRolesUnchanged(workspace, role);
  const writes = {
    ...entry.writes,
    ...proof?.writes,
    workspace: workspaceUpdate(workspace_id, { add }, events, condition),
    member: create(member),
    invitation: invitation ? del(key, invitationUnchanged(invitation)) : mustNotExist(key),
    user: incrementMemberships(entry.user, proof, entry.mostWorkspaces),
  };
  return changeInWorkspace(
    byPrincipal(writes, workspace_id, entry.principal, { conditions }),
    member,
    {
      limit: { ...memberLimit, more: 1 },
      rate: entry.rate,
    },
  );
}

const inviterOf = ({ inviter_id: uid, inviter_email: email }: MemberItem) => ({ uid, email });

import { type Change, type Changes, del, put, update } from '../../db/change.ts';
import { and, attributesUnchanged, type Condition } from '../../db/condition.ts';
import { byRole } from '../../db/index-attributes.ts';
import { keys } from '../../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../../db/modified-at.ts';
import type { EventDraft } from '../../model/events.ts';
import type { Role } from '../../model/fields.ts';
import { assignedRolesUnchanged } from '../../roles/own-roles.ts';
import type { Principal } from '../../roles/principal.ts';
import { byPrincipal } from '../by-principal.ts';
import { isArchived, type MemberItem, type WorkspaceItem } from '../items.ts';
import { endingOffer, type OfferEnd } from '../ownership.ts';
import {
  changeInWorkspace,
  decrementMemberships,
  workspaceUpdateForMember,
} from './membership-transaction.ts';

/** Changes the role of a member who is not the owner. Refused with `not_found`. */
export function changeRole(
  workspace: WorkspaceItem,
  member: MemberItem,
  { role, principal }: { role: Role; principal: Principal | undefined },
  now: Date,
): Change<MemberItem> {
  const { workspace_id, project_id, user_id, member_id } = member;
  const { by_email_pk: _, by_email_sk: __, ...rest } = member;
  const indexed = byRole(project_id, role, workspace_id, user_id);
  const set = { role, modified_at: modifiedAt(now, member), ...indexed };
  return changeMember(
    member,
    role === 'admin' ? undefined : endingOffer(workspace, user_id, now),
    { set, ...('by_email_pk' in indexed ? {} : { remove: ['by_email_pk', 'by_email_sk'] }) },
    {
      type: 'workspace.member.role_changed',
      data: { user_id, member_id, role },
      previous: { role: member.role },
    },
    principal,
    assignedRolesUnchanged(workspace, role),
  ).as(() => ({ ...rest, ...set }));
}

/**
 * Suspends or resumes a member who is not the owner, and returns the membership. A suspended member has no access from
 * the next request on. Refused with `not_found`.
 */
export function setSuspension(
  workspace: WorkspaceItem,
  member: MemberItem,
  { suspended, principal }: { suspended: boolean; principal: Principal | undefined },
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
    principal,
  ).as(() => ({ ...rest, ...(suspended && { suspended_at: modified_at }), modified_at }));
}

function changeMember(
  member: MemberItem,
  ending: OfferEnd | undefined,
  changes: Changes & { set: { modified_at: string } },
  event: EventDraft,
  principal: Principal | undefined,
  conditions: Condition[] = [],
): Change<void> {
  const { workspace_id, user_id } = member;
  const condition = and(memberUnchanged(member), notModifiedAfter(changes.set.modified_at));
  const writes = {
    workspace: workspaceUpdateForMember(member, {}, event, ending),
    member: update(keys.member(workspace_id, user_id), changes, condition),
  };
  return changeInWorkspace(
    byPrincipal(writes, workspace_id, principal, { written: user_id, conditions }),
    undefined,
  );
}

/** Removes a member who is not the owner, and counts it. Refused with `not_found`. */
export function removeMember(
  workspace: WorkspaceItem,
  member: MemberItem,
  { left, principal }: { left: boolean; principal: Principal | undefined },
  now: Date,
): Change<MemberItem> {
  const { workspace_id, user_id, member_id, role } = member;
  const type = left ? 'workspace.member.left' : 'workspace.member.removed';
  const event: EventDraft = { type, data: { user_id, member_id, role } };
  const writes = {
    workspace: workspaceUpdateForMember(
      member,
      { add: { total_member_count: -1 } },
      event,
      endingOffer(workspace, user_id, now),
    ),
    member: del(keys.member(workspace_id, user_id), memberUnchanged(member)),
    // In a workspace that was just restored, the user's count does not include this membership yet.
    user: isArchived(member) ? undefined : decrementMemberships(user_id),
    // It was stored just as the user became a member, and would show again.
    request: del(keys.joinRequest(workspace_id, user_id)),
    leftWorkspace: put(keys.leftWorkspace(user_id, workspace_id)),
  };
  return changeInWorkspace(
    byPrincipal(writes, workspace_id, principal, left ? { written: user_id } : {}),
    member,
  );
}

/** True while the membership is unchanged since it was read, apart from the profile copy. */
const memberUnchanged = (member: MemberItem): Condition =>
  attributesUnchanged(member, ['member_id', 'role', 'by_member_sk', 'suspended_at']);

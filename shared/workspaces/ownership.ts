import { assert, type Change, type Changes, change, update, type Write } from '../db/change.ts';
import { and, type Condition, where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { modifiedAt, notModifiedAfter } from '../db/modified-at.ts';
import { withEvents } from '../db/outbox.ts';
import { type UserItem, userExists, userUnchanged } from '../identity/users/users.ts';
import type { EventDraft } from '../model/events.ts';
import { belowOwnedLimit, ifOwnsTooMany, ownedBy } from './delete-workspace.ts';
import type { MemberItem, WorkspaceItem } from './items.ts';
import { ifWorkspaceGone } from './workspaces.ts';

const offer = ['offered_to', 'offered_member_id'] as const;

/** True if the member can become the owner: an admin who is not suspended. */
export const isEligible = ({ role, suspended_at }: MemberItem): boolean =>
  role === 'admin' && suspended_at === undefined;

/** True if the workspace is offered to exactly this membership, not to an earlier one of the same user. */
export const isOfferedTo = (workspace: WorkspaceItem, member: MemberItem): boolean =>
  workspace.offered_to === member.user_id && workspace.offered_member_id === member.member_id;

/**
 * True if the user became the owner by accepting an offer, and the ownership was not transferred without an offer
 * since.
 */
export const hasAccepted = ({ owner_id, accepted_by }: WorkspaceItem, uid: string): boolean =>
  owner_id === uid && accepted_by === uid;

/**
 * Offers the ownership of a workspace to an admin, in place of an earlier offer, and returns the workspace. Refused
 * with `not_found`. Stale if the workspace or the member changed.
 */
export function offerOwnership(
  workspace: WorkspaceItem,
  member: MemberItem,
  now: Date,
): Change<WorkspaceItem> {
  const { workspace_id, owner_id } = workspace;
  const { user_id, member_id } = member;
  const set = {
    offered_to: user_id,
    offered_member_id: member_id,
    modified_at: modifiedAt(now, workspace),
  };
  const event = { type: 'workspace.ownership_offered', data: { user_id, member_id } } as const;
  return change(
    {
      workspace: update<WorkspaceItem>(
        keys.workspace(workspace_id),
        withEvents({ set }, event),
        and(ownedBy(owner_id), notModifiedAfter(set.modified_at)),
      ),
      member: stillEligible(member),
    },
    { ...workspace, ...set },
    ifWorkspaceGone,
  );
}

/** Ends the offer, and returns the workspace without it. Refused and stale like `offerOwnership`. */
export function endOffer(workspace: WorkspaceItem, now: Date): Change<WorkspaceItem> {
  const { offered_to = '', offered_member_id: _, ...without } = workspace;
  const { workspace_id, owner_id } = without;
  const { changes, events, condition } = endingOffer(workspace, offered_to, now);
  return change(
    {
      workspace: update<WorkspaceItem>(
        keys.workspace(workspace_id),
        withEvents(changes, ...events),
        and(ownedBy(owner_id), condition),
      ),
    },
    { ...without, ...changes.set },
    ifWorkspaceGone,
  );
}

/**
 * Changes of the workspace, events and condition that end an offer in the same write in which the member becomes
 * ineligible.
 */
export type OfferEnd = { changes: Changes; events: EventDraft[]; condition: Condition };

/** Ends the offer to this member, if there is one. The condition fails if the offer changed since it was read. */
export function endingOffer(workspace: WorkspaceItem, user_id: string, now: Date): OfferEnd {
  const { offered_to, offered_member_id: member_id } = workspace;
  if (offered_to !== user_id)
    return {
      changes: {},
      events: [],
      condition: where('attribute_not_exists(#offered_to) OR #offered_to <> :nobody', {
        nobody: user_id,
      }),
    };
  const modified_at = modifiedAt(now, workspace);
  return {
    changes: { set: { modified_at }, remove: offer },
    events: [{ type: 'workspace.ownership_offer_ended', data: { user_id, member_id } }],
    condition: and(offeredTo(user_id, member_id), notModifiedAfter(modified_at)),
  };
}

/**
 * Transfers the ownership to an admin, and returns the workspace. The previous owner stays an admin. At every moment
 * the owner is exactly one accepted admin. Refused with `owned_workspace_limit_reached` or `not_found`. Stale if the
 * workspace or a member changed.
 *
 * @param accepted true if the new owner accepts the offer that was read
 */
export function transferOwnership(
  workspace: WorkspaceItem,
  member: MemberItem,
  user: UserItem,
  { accepted }: { accepted: boolean },
  now: Date,
): Change<WorkspaceItem> {
  const { offered_to, offered_member_id, accepted_by: _, ...without } = workspace;
  const { workspace_id, owner_id } = without;
  const { user_id, member_id } = member;
  const set = {
    owner_id: user_id,
    owner_email: user.email,
    owner_version: user.version,
    ...(accepted && { accepted_by: user_id }),
    modified_at: modifiedAt(now, workspace),
  };
  const remove = accepted ? offer : [...offer, 'accepted_by'];
  const read = accepted ? offeredTo(offered_to, offered_member_id) : undefined;
  return change(
    {
      workspace: update<WorkspaceItem>(
        keys.workspace(workspace_id),
        withEvents(
          { set, remove },
          {
            type: 'workspace.ownership_transferred',
            data: { owner_id: user_id, member_id },
            previous: { owner_id },
          },
        ),
        and(ownedBy(owner_id), notModifiedAfter(set.modified_at), read),
      ),
      member: stillEligible(member),
      previous: assert(keys.member(workspace_id, owner_id), eligible),
      owner: update<UserItem>(
        keys.user(user_id),
        { increment: { owned_workspace_count: 1 } },
        and(userUnchanged(user), belowOwnedLimit),
      ),
      previousOwner: update(
        keys.user(owner_id),
        { increment: { owned_workspace_count: -1 } },
        userExists,
      ),
    },
    { ...without, ...set },
    (failed) => ifWorkspaceGone(failed) ?? ifOwnsTooMany(failed.owner, user),
  );
}

const eligible: Condition = where('#role = :admin AND attribute_not_exists(#suspended_at)', {
  admin: 'admin',
});

const stillEligible = ({ workspace_id, user_id, member_id }: MemberItem): Write =>
  assert(
    keys.member(workspace_id, user_id),
    and(eligible, where('#member_id = :member_id', { member_id })),
  );

const offeredTo = (uid: string | undefined, member_id: string | undefined): Condition =>
  where('#offered_to = :offered_to AND #offered_member_id = :offered_member_id', {
    offered_to: uid,
    offered_member_id: member_id,
  });

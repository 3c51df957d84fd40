import type { UsedKey } from '../../access/caller.ts';
import { type Change, create, del, update, type Write } from '../../db/change.ts';
import { and, exists, where } from '../../db/condition.ts';
import { epochSeconds } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import { ifConditionHolds, transact } from '../../db/transaction.ts';
import { lifetimes } from '../../model/limits.ts';
import type { Principal } from '../../roles/principal.ts';
import { byPrincipal, keyChecks } from '../by-principal.ts';
import type { InvitationItem } from '../items.ts';
import { changeInWorkspace, workspaceUpdate } from '../members/membership-transaction.ts';
import { invitationEvent, invitationsAtOnce } from './change-invitations.ts';
import { invitationUnchanged } from './invitations.ts';

/** Who ends an invitation. */
type Ending =
  | { declined: true; key: UsedKey | undefined }
  | { declined: false; principal: Principal | undefined };

/** Deletes an invitation and counts it. Refused with `not_found`. */
export function endInvitation(invitation: InvitationItem, by: Ending): Change<InvitationItem> {
  const { workspace_id, user_id } = invitation;
  const ended = by.declined
    ? changeInWorkspace(
        {
          ...removals(workspace_id, 'declined', [invitation]),
          ...keyChecks(keys.user(user_id), by.key),
        },
        undefined,
      )
    : revokeInvitations(workspace_id, [invitation], by.principal);
  return ended.as(() => invitation);
}

/** Deletes at most `invitationsAtOnce` of one workspace and counts them, all or none. Refused with `not_found`. */
export const revokeInvitations = (
  workspace_id: string,
  invitations: readonly InvitationItem[],
  principal: Principal | undefined,
): Change<void> =>
  changeInWorkspace(
    byPrincipal(removals(workspace_id, 'revoked', invitations), workspace_id, principal),
    undefined,
  );

/** The writes that delete invitations and count them. */
function removals(
  workspace_id: string,
  what: 'revoked' | 'declined' | 'expired',
  invitations: readonly InvitationItem[],
) {
  return {
    ...Object.fromEntries(
      invitations.map((each): [string, Write] => [
        `invitation ${each.user_id}`,
        del(keys.invitation(workspace_id, each.user_id), invitationUnchanged(each)),
      ]),
    ),
    workspace: workspaceUpdate(
      workspace_id,
      { add: { pending_member_count: -invitations.length } },
      invitations.map((each) => invitationEvent(what, each)),
    ),
  };
}

/** Deletes expired invitations, as many as fit into one transaction, to make room for new ones. */
export const evictExpired = (
  workspace_id: string,
  expired: readonly InvitationItem[],
): Change<void> =>
  changeInWorkspace(
    removals(workspace_id, 'expired', expired.slice(0, invitationsAtOnce)),
    undefined,
  );

/**
 * Counts an invitation that DynamoDB deleted long after it expired, also in a deleted workspace that can still be
 * restored: not in one that is purged, whose invitations go with it before they expire. The receipt makes a repetition
 * change nothing.
 */
export async function uncountExpired(invitation: InvitationItem, now: Date): Promise<void> {
  const { workspace_id, member_id, modified_at } = invitation;
  const event = invitationEvent('expired', invitation);
  const receipt = {
    ...keys.expiredInvitation(workspace_id, `${member_id}#${modified_at}`),
    expires_at: epochSeconds(now) + lifetimes.receipt,
  };
  await ifConditionHolds(
    transact({
      receipt: create(receipt),
      workspace: update(
        keys.workspace(workspace_id),
        withEvents({ add: { pending_member_count: -1 } }, event),
        and(
          exists,
          where('attribute_not_exists(#expires_at) OR #expires_at > :now', {
            now: epochSeconds(now),
          }),
        ),
      ),
    }),
  );
}

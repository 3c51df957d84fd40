import type { UsedKey } from '../../access/caller.ts';
import { type Change, create, del, put, update, type Write } from '../../db/change.ts';
import { and, exists, where } from '../../db/condition.ts';
import { epochSeconds } from '../../db/item.ts';
import { keys } from '../../db/keys.ts';
import { withEvents } from '../../db/outbox.ts';
import { rateLimitWrite } from '../../db/rate-limits.ts';
import { ifConditionHolds, transact } from '../../db/transaction.ts';
import { userWrites } from '../../identity/users/new-user.ts';
import type { MailItem } from '../../mail/mails.ts';
import type { EventDraft } from '../../model/events.ts';
import { lifetimes } from '../../model/limits.ts';
import { assignedRolesUnchanged } from '../../roles/own-roles.ts';
import { countedAs, type Principal } from '../../roles/principal.ts';
import { byPrincipal, keyChecks } from '../by-principal.ts';
import { type InvitationItem, isArchived, isOpen, type WorkspaceItem } from '../items.ts';
import {
  assertUserUnchanged,
  belowLimit,
  changeInWorkspace,
  invitationLimit,
  mustNotExist,
  workspaceUpdate,
} from '../members/membership-transaction.ts';
import { invitationUnchanged } from './invitations.ts';
import type { NewInvitation } from './invite.ts';
import { mailQuota } from './mail-quota.ts';

/**
 * Invitations that fit into one transaction: up to four writes each, plus the workspace, the acting member or key, and
 * the rate limit.
 */
export const invitationsAtOnce = 20;

/**
 * Adds and counts invitations. New users and the mails are stored in the same transaction. Refused with `not_found`,
 * `invitation_limit_reached`, or `too_many_requests` if the workspace's daily mail quota or the person's rate limit is
 * used up.
 */
export function addInvitations(
  workspace: WorkspaceItem,
  invitations: readonly NewInvitation[],
  principal: Principal | undefined,
  now: Date,
): Change<void> {
  const { workspace_id } = workspace;
  const mailed = mailQuota(workspace, invitations.filter(({ mail }) => mail).length, now);
  const more = invitations.filter(({ before }) => !before).length;
  const events = invitations.flatMap(({ invitation, before }) => [
    ...(before ? [eventOf(isOpen(before, now) ? 'revoked' : 'expired', before)] : []),
    eventOf('created', invitation),
  ]);
  const writes: [string, Write][] = invitations.flatMap((each, i) =>
    Object.entries(writesOf(workspace_id, each)).map(([name, write]): [string, Write] => [
      // A single invitation keeps the plain names, by which `changeInWorkspace` finds the failed condition.
      invitations.length === 1 ? name : `${name} ${i}`,
      write,
    ]),
  );
  const room = belowLimit(invitationLimit, more);
  const together = {
    ...Object.fromEntries(writes),
    workspace: workspaceUpdate(
      workspace_id,
      { ...mailed.changes, add: { ...mailed.changes.add, pending_member_count: more } },
      events,
      and(room, mailed.condition),
    ),
  };
  const conditions = assignedRolesUnchanged(
    workspace,
    ...invitations.map(({ invitation }) => invitation.role),
  );
  return changeInWorkspace(
    byPrincipal(together, workspace_id, principal, { conditions }),
    undefined,
    {
      limit: { ...invitationLimit, more },
      mailed,
      rate:
        principal === undefined
          ? undefined
          : rateLimitWrite(
              'invitationsByOne',
              countedAs(principal, workspace),
              invitations.length,
              now,
            ),
    },
  );
}

function writesOf(
  workspace_id: string,
  { invitation, user, isNew, before, mail }: NewInvitation,
): Record<string, Write> {
  return {
    invitation: before ? put(invitation, invitationUnchanged(before)) : create(invitation),
    ...(isNew
      ? userWrites(user)
      : {
          member: mustNotExist(keys.member(workspace_id, user.uid)),
          user: assertUserUnchanged(user),
        }),
    ...(mail && { mail: create(mail) }),
  };
}

/**
 * Renews an invitation: it gets a new token and a new expiry, and the old token becomes invalid. Refused like
 * `addInvitations`.
 */
export function renewInvitation(
  workspace: WorkspaceItem,
  before: InvitationItem,
  invitation: InvitationItem,
  mail: MailItem,
  principal: Principal | undefined,
  now: Date,
): Change<InvitationItem> {
  const { workspace_id } = workspace;
  const { modified_at, invitation_expires_at, expires_at, token_sha256, mailbox } = invitation;
  const { inviter_id, inviter_email } = invitation;
  const mailed = mailQuota(workspace, 1, now);
  const set = {
    // Only the attributes that change: the stream jobs write the profile copy and the archive state.
    modified_at,
    invitation_expires_at,
    expires_at,
    token_sha256,
    mailbox,
    inviter_id,
    inviter_email,
    // The workspace is restored, but the job has not restored this item yet. It restores the expiry stored here.
    ...(isArchived(before) && { kept_expires_at: expires_at }),
  };
  const indexed = where('#by_member_sk = :indexed', { indexed: before['by_member_sk'] });
  const writes = {
    workspace: workspaceUpdate(
      workspace_id,
      mailed.changes,
      [eventOf('resent', invitation)],
      mailed.condition,
    ),
    invitation: update(
      keys.invitation(workspace_id, invitation.user_id),
      { set },
      and(invitationUnchanged(before), indexed),
    ),
    mail: create(mail),
  };
  const conditions = assignedRolesUnchanged(workspace, invitation.role);
  return changeInWorkspace(
    byPrincipal(writes, workspace_id, principal, { conditions }),
    invitation,
    {
      mailed,
    },
  );
}

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
      invitations.map((each) => eventOf(what, each)),
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
  const event = eventOf('expired', invitation);
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

function eventOf(
  what: 'created' | 'resent' | 'revoked' | 'declined' | 'expired',
  { user_id, member_id, role }: InvitationItem,
): EventDraft {
  return { type: `workspace.invitation.${what}`, data: { user_id, member_id, role } };
}

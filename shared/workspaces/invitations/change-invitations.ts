import { type Change, create, put, update, type Write } from '../../db/change.ts';
import { and } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import { type RateLimitWrite, rateLimitWrite } from '../../db/rate-limits.ts';
import { userWrites } from '../../identity/users/new-user.ts';
import type { MailItem } from '../../mail/mails.ts';
import type { EventDraft } from '../../model/events.ts';
import { assignedRolesUnchanged } from '../../roles/own-roles.ts';
import { countedAs, type Principal } from '../../roles/principal.ts';
import { byPrincipal } from '../by-principal.ts';
import {
  type InvitationItem,
  indexUnchanged,
  isArchived,
  isOpen,
  type WorkspaceItem,
} from '../items.ts';
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
    ...(before ? [invitationEvent(isOpen(before, now) ? 'revoked' : 'expired', before)] : []),
    invitationEvent('created', invitation),
  ]);
  const writes: [string, Write][] = invitations.flatMap((each, i) =>
    Object.entries(writesOf(workspace_id, each)).map(([name, write]) => [`${name} ${i}`, write]),
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
      rate: countBy(principal, workspace, invitations.length, now),
    },
  );
}

/** Counts invitations by a person, or the keys of a workspace. A backend makes as many as it wants. */
const countBy = (
  principal: Principal | undefined,
  workspace: WorkspaceItem,
  more: number,
  now: Date,
): RateLimitWrite | undefined =>
  principal && rateLimitWrite('invitationsByOne', countedAs(principal, workspace), more, now);

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
  const writes = {
    workspace: workspaceUpdate(
      workspace_id,
      mailed.changes,
      [invitationEvent('resent', invitation)],
      mailed.condition,
    ),
    invitation: update(
      keys.invitation(workspace_id, invitation.user_id),
      { set },
      and(invitationUnchanged(before), indexUnchanged(before)),
    ),
    mail: create(mail),
  };
  const conditions = assignedRolesUnchanged(workspace, invitation.role);
  return changeInWorkspace(
    byPrincipal(writes, workspace_id, principal, { conditions }),
    invitation,
    { mailed, rate: countBy(principal, workspace, 1, now) },
  );
}

/** The event of what has become of an invitation. */
export function invitationEvent(
  what: 'created' | 'resent' | 'revoked' | 'declined' | 'expired',
  { user_id, member_id, role }: InvitationItem,
): EventDraft {
  return { type: `workspace.invitation.${what}`, data: { user_id, member_id, role } };
}

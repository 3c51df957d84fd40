import { getItem } from '../db/batch-loader.ts';
import {
  and,
  type Change,
  type Condition,
  create,
  del,
  put,
  update,
  type Write,
  where,
} from '../db/change.ts';
import { epochSeconds } from '../db/item.ts';
import { withEvents } from '../db/outbox.ts';
import { query } from '../db/query.ts';
import { rateLimitWrite } from '../db/rate-limits.ts';
import { keys, prefixes } from '../db/schema.ts';
import { ifConditionHolds, transact } from '../db/transaction.ts';
import { type UserItem, userWrites } from '../identity/users.ts';
import type { MailItem } from '../mail/mails.ts';
import { normalizeEmail } from '../model/email.ts';
import type { EventDraft } from '../model/events.ts';
import { lifetimes } from '../model/limits.ts';
import {
  type InvitationItem,
  isArchived,
  isOpen,
  type MemberItem,
  type WorkspaceItem,
} from './items.ts';
import {
  belowLimit,
  changeMemberships,
  invitationLimit,
  mailQuota,
  mustNotExist,
  requireAdmin,
  userUnchanged,
  workspaceUpdate,
} from './membership-transaction.ts';
import { profileOf } from './profile-projection.ts';

export type InvitationState = 'pending' | 'expired';

/** When an invitation that is made or renewed then ends, and when the table may forget it. */
export function invitationTimes(expires_in: number, modified_at: string) {
  const end = Date.parse(modified_at) + expires_in * 1_000;
  return {
    invitation_expires_at: new Date(end).toISOString(),
    expires_at: epochSeconds(new Date(end)) + lifetimes.expiredInvitation,
  };
}

/** For how many seconds an invitation is good from when it was made or renewed. */
export const lifetimeOf = ({ invitation_expires_at, modified_at }: InvitationItem): number =>
  (Date.parse(invitation_expires_at) - Date.parse(modified_at)) / 1_000;

/**
 * Whether an invitation is still for this user: the mailbox that was invited is the one that they have. Whoever made an
 * account with somebody else's e-mail and moved it to their own is not who was invited.
 */
export const isFor = ({ mailbox }: InvitationItem, { email }: UserItem): boolean =>
  mailbox === normalizeEmail(email);

/** The invitation of a user to a workspace, open or expired. */
export async function getInvitation(
  workspace_id: string,
  uid: string,
): Promise<InvitationItem | undefined> {
  const item = await getItem<StoredInvitation>(keys.invitation(workspace_id, uid));
  return item && asInvitation(item);
}

/** As versions before 0.3.0 stored it: without an end and without a token. */
type StoredInvitation = MemberItem & Partial<InvitationItem>;

function asInvitation(item: StoredInvitation): InvitationItem {
  if (item.invitation_expires_at !== undefined) return item as InvitationItem;
  const mailbox = normalizeEmail(profileOf(item).email);
  const times = invitationTimes(lifetimes.invitation, item.created_at);
  return { ...item, ...times, mailbox, token_sha256: '' };
}

/** Every invitation to a workspace in a state, in the order of their users' ids. At most 1,000 are open. */
export async function listInvitations(
  workspace_id: string,
  state: InvitationState,
  now: Date,
): Promise<InvitationItem[]> {
  const { items } = await query<StoredInvitation>({
    partition: keys.workspace(workspace_id).pk,
    prefix: prefixes.pending,
  });
  return items
    .map(asInvitation)
    .filter((invitation) => isOpen(invitation, now) === (state === 'pending'));
}

/** An invitation to be stored, with what goes along. */
export type NewInvitation = {
  invitation: InvitationItem;
  user: UserItem;
  /** The user is stored in the same transaction. */
  isNew: boolean;
  /** The expired one in its place. */
  before?: InvitationItem | undefined;
  mail?: MailItem | undefined;
};

/** So many fit into one transaction: up to four writes each, and those of the workspace, the manager and their count. */
export const invitationsAtOnce = 20;

/**
 * Adds invitations and counts them; users who are new are stored in the same transaction, and mails with what they
 * tell of. Refused with `not_found`, `invitation_limit_reached`, or `too_many_requests` where the workspace has mailed
 * enough for a day, or the person who invites has invited enough.
 */
export function addInvitations(
  workspace: WorkspaceItem,
  invitations: readonly NewInvitation[],
  manager: string | undefined,
  now: Date,
): Change<void> {
  const { workspace_id } = workspace;
  const mailed = mailQuota(workspace, invitations.filter(({ mail }) => mail).length, now);
  const more = invitations.filter(({ before }) => !before).length;
  const facts = invitations.map(({ invitation }) => factOf('created', invitation));
  const writes: [string, Write][] = invitations.flatMap((each, i) =>
    Object.entries(writesOf(workspace_id, each)).map(([name, write]): [string, Write] => [
      // One that comes alone is named plainly, for whoever reads why it failed.
      invitations.length === 1 ? name : `${name} ${i}`,
      write,
    ]),
  );
  const room = belowLimit(invitationLimit, more);
  return changeMemberships(
    {
      ...Object.fromEntries(writes),
      workspace: workspaceUpdate(
        workspace_id,
        { ...mailed.changes, add: { ...mailed.changes.add, pending_member_count: more } },
        facts,
        and(room, mailed.condition),
      ),
      manager: requireAdmin(workspace_id, manager),
    },
    undefined,
    {
      limit: { ...invitationLimit, more },
      mailed,
      rate:
        manager === undefined
          ? undefined
          : rateLimitWrite('invitationsByOne', manager, invitations.length, now),
    },
  );
}

function writesOf(
  workspace_id: string,
  { invitation, user, isNew, before, mail }: NewInvitation,
): Record<string, Write> {
  return {
    invitation: before ? put(invitation, unchangedInvitation(before)) : create(invitation),
    ...(isNew
      ? userWrites(user)
      : { member: mustNotExist(keys.member(workspace_id, user.uid)), user: userUnchanged(user) }),
    ...(mail && { mail: create(mail) }),
  };
}

/** Renews an invitation: another token, another end; the old token is void. As `addInvitations`. */
export function renewInvitation(
  workspace: WorkspaceItem,
  before: InvitationItem,
  invitation: InvitationItem,
  mail: MailItem,
  manager: string | undefined,
  now: Date,
): Change<InvitationItem> {
  const { workspace_id } = workspace;
  const { modified_at, invitation_expires_at, expires_at, token_sha256, mailbox } = invitation;
  const mailed = mailQuota(workspace, 1, now);
  const set = {
    // Only what is new of it: the copy of its user, and whether it is archived, are the stream's jobs' to write.
    ...{ modified_at, invitation_expires_at, expires_at, token_sha256, mailbox },
    // Restored, and not yet by the job: it gives back the end that it finds here.
    ...(isArchived(before) && { kept_expires_at: expires_at }),
  };
  const indexed = where('#by_member_sk = :indexed', { indexed: before['by_member_sk'] });
  return changeMemberships(
    {
      workspace: workspaceUpdate(
        workspace_id,
        mailed.changes,
        [factOf('resent', invitation)],
        mailed.condition,
      ),
      invitation: update(
        keys.invitation(workspace_id, invitation.user_id),
        { set },
        and(unchangedInvitation(before), indexed),
      ),
      mail: create(mail),
      manager: requireAdmin(workspace_id, manager),
    },
    invitation,
    { mailed },
  );
}

/** Ends an invitation and counts it. Refused with `not_found`. */
export function endInvitation(
  invitation: InvitationItem,
  by: { declined: true } | { declined: false; manager: string | undefined },
): Change<InvitationItem> {
  const { workspace_id, user_id } = invitation;
  const fact = factOf(by.declined ? 'declined' : 'revoked', invitation);
  return changeMemberships(
    {
      workspace: workspaceUpdate(workspace_id, { add: { pending_member_count: -1 } }, [fact]),
      invitation: del(keys.invitation(workspace_id, user_id), unchangedInvitation(invitation)),
      manager: by.declined ? undefined : requireAdmin(workspace_id, by.manager),
    },
    invitation,
  );
}

/** Ends expired invitations, some at a time, to make room for others. */
export function evictExpired(
  workspace_id: string,
  expired: readonly InvitationItem[],
): Change<void> {
  const some = expired.slice(0, invitationsAtOnce);
  const facts = some.map((invitation) => factOf('expired', invitation));
  return changeMemberships(
    {
      ...Object.fromEntries(
        some.map((each) => [
          `expired ${each.user_id}`,
          del(keys.invitation(workspace_id, each.user_id), unchangedInvitation(each)),
        ]),
      ),
      workspace: workspaceUpdate(
        workspace_id,
        { add: { pending_member_count: -some.length } },
        facts,
      ),
    },
    undefined,
  );
}

/**
 * Counts an invitation that DynamoDB has deleted, long after it expired, also of a workspace that may be restored. The
 * note that is left makes a repetition change nothing.
 */
export async function uncountExpired(invitation: InvitationItem, now: Date): Promise<void> {
  const { workspace_id, member_id, modified_at } = invitation;
  const fact = factOf('expired', invitation);
  const note = {
    ...keys.expiredInvitation(workspace_id, `${member_id}#${modified_at}`),
    expires_at: epochSeconds(now) + lifetimes.note,
  };
  await ifConditionHolds(
    transact({
      note: create(note),
      workspace: update(
        keys.workspace(workspace_id),
        withEvents({ add: { pending_member_count: -1 } }, fact),
        where('attribute_exists(#pk)'),
      ),
    }),
  );
}

/** Holds while an invitation is as it was read, but for the copy of its user. */
export const unchangedInvitation = ({
  member_id,
  modified_at,
  inviter_email,
}: InvitationItem): Condition =>
  where(
    '#member_id = :member_id AND #modified_at = :modified_at AND #inviter_email = :inviter_email',
    { member_id, modified_at, inviter_email },
  );

function factOf(
  what: 'created' | 'resent' | 'revoked' | 'declined' | 'expired',
  { user_id, member_id, role }: InvitationItem,
): EventDraft {
  return { type: `workspace.invitation.${what}`, data: { user_id, member_id, role } };
}

import type { Fact } from '../events.ts';
import { lifetimes } from '../limits.ts';
import { telling } from './facts.ts';
import { epochSeconds } from './item.ts';
import type { MailItem } from './mails.ts';
import type { MemberItem } from './members.ts';
import {
  absent,
  counted,
  invitationLimit,
  isCurrent,
  roomFor,
  stillAdmin,
  writeMemberships,
} from './member-writes.ts';
import { query } from './query.ts';
import { getItem } from './read.ts';
import { keys, prefixes } from './shape.ts';
import { type UserItem, userWrites } from './users.ts';
import type { WorkspaceItem } from './workspaces.ts';
import {
  type Condition,
  create,
  ifConditionHolds,
  put,
  remove,
  transact,
  update,
  where,
  type Write,
} from './write.ts';

/**
 * A pending membership. Whether it is open or has expired is a matter of the time alone: nothing has to happen for it
 * to end. Expired it stays for a while, so that it can be sent again; then DynamoDB deletes it.
 */
export type InvitationItem = MemberItem & {
  invitation_expires_at: string;
  /** Epoch seconds, long after it expired. */
  expires_at: number;
  /** SHA-256 of the token that its link carries. */
  token_sha256: string;
  /** Whose mailbox the mailed token proves, normalized: the copy of the user goes on to another e-mail with them. */
  mailbox: string;
  message?: string;
};

export type InvitationState = 'pending' | 'expired';

/** Whether an invitation can be accepted. */
export const isOpen = (invitation: InvitationItem, now: Date): boolean =>
  invitation.invitation_expires_at > now.toISOString();

/** When an invitation that is made or renewed now ends, and when the table may forget it. */
export function invitationTimes(expires_in: number, now: Date) {
  const end = now.getTime() + expires_in * 1_000;
  return {
    invitation_expires_at: new Date(end).toISOString(),
    expires_at: epochSeconds(new Date(end)) + lifetimes.expiredInvitation,
  };
}

/** For how many seconds an invitation is good from when it was made or renewed. */
export const lifetimeOf = ({ invitation_expires_at, modified_at }: InvitationItem): number =>
  (Date.parse(invitation_expires_at) - Date.parse(modified_at)) / 1_000;

/** The invitation of a user to a workspace, open or expired. */
export const getInvitation = (
  workspace_id: string,
  uid: string,
): Promise<InvitationItem | undefined> =>
  getItem<InvitationItem>(keys.invitation(workspace_id, uid));

/** Every invitation to a workspace in a state, in the order of their users' ids. At most 1,000 are open. */
export async function listInvitations(
  workspace_id: string,
  state: InvitationState,
  now: Date,
): Promise<InvitationItem[]> {
  const { items } = await query<InvitationItem>({
    partition: keys.workspace(workspace_id).pk,
    prefix: prefixes.pending,
  });
  return items.filter((invitation) => isOpen(invitation, now) === (state === 'pending'));
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

/** So many fit into one transaction: up to four writes each, and those of the workspace and the manager. */
export const invitationsAtOnce = 20;

/**
 * Adds invitations and counts them; users who are new are stored in the same transaction, and mails with what they
 * tell of. Throws `not_found`, `invitation_limit_reached`, or `StaleRead` if anything that was read has changed.
 */
export async function addInvitations(
  { workspace_id }: WorkspaceItem,
  invitations: readonly NewInvitation[],
  manager: string | undefined,
): Promise<void> {
  const more = invitations.filter(({ before }) => !before).length;
  const facts = invitations.map(({ invitation }) => factOf('created', invitation));
  const writes: [string, Write][] = invitations.flatMap((each) =>
    Object.entries(writesOf(workspace_id, each)).map(([name, write]): [string, Write] => [
      // One that comes alone is named plainly, for whoever reads why it failed.
      invitations.length === 1 ? name : `${name} ${each.user.uid}`,
      write,
    ]),
  );
  const room = roomFor(invitationLimit, more);
  await writeMemberships(
    {
      ...Object.fromEntries(writes),
      workspace: counted(workspace_id, { pending_member_count: more }, facts, room),
      manager: stillAdmin(workspace_id, manager),
    },
    { ...invitationLimit, more },
  );
}

function writesOf(
  workspace_id: string,
  { invitation, user, isNew, before, mail }: NewInvitation,
): Record<string, Write> {
  return {
    invitation: before
      ? { kind: 'put', item: invitation, condition: unchangedInvitation(before) }
      : create(invitation),
    ...(isNew
      ? userWrites(user)
      : { member: absent(keys.member(workspace_id, user.uid)), user: isCurrent(user) }),
    ...(mail && { mail: create(mail) }),
  };
}

/** Renews an invitation: another token, another end; the old token is void. As `addInvitations`. */
export async function renewInvitation(
  before: InvitationItem,
  invitation: InvitationItem,
  mail: MailItem | undefined,
  manager: string | undefined,
): Promise<void> {
  const { workspace_id } = invitation;
  await writeMemberships({
    workspace: counted(workspace_id, {}, [factOf('resent', invitation)]),
    invitation: { kind: 'put', item: invitation, condition: unchangedInvitation(before) },
    ...(mail && { mail: put(mail) }),
    manager: stillAdmin(workspace_id, manager),
  });
}

/** Ends an invitation and counts it. Throws `not_found` or `StaleRead`. */
export async function endInvitation(
  invitation: InvitationItem,
  by: { declined: true } | { declined: false; manager: string | undefined },
): Promise<void> {
  const { workspace_id, user_id } = invitation;
  const fact = factOf(by.declined ? 'declined' : 'revoked', invitation);
  await writeMemberships({
    workspace: counted(workspace_id, { pending_member_count: -1 }, [fact]),
    invitation: remove(keys.invitation(workspace_id, user_id), unchangedInvitation(invitation)),
    manager: by.declined ? undefined : stillAdmin(workspace_id, by.manager),
  });
}

/** Ends expired invitations, some at a time, to make room for others. */
export async function sweepInvitations(expired: readonly InvitationItem[]): Promise<void> {
  const some = expired.slice(0, invitationsAtOnce);
  const [first] = some;
  if (!first) return;
  const { workspace_id } = first;
  const facts = some.map((invitation) => factOf('expired', invitation));
  await writeMemberships({
    ...Object.fromEntries(
      some.map((each) => [
        `expired ${each.user_id}`,
        remove(keys.invitation(workspace_id, each.user_id), unchangedInvitation(each)),
      ]),
    ),
    workspace: counted(workspace_id, { pending_member_count: -some.length }, facts),
  });
}

/**
 * Counts an invitation that DynamoDB has deleted, long after it expired, also of a workspace that may be restored. The
 * note that is left makes a repetition change nothing.
 */
export async function countOutExpired(invitation: InvitationItem, now: Date): Promise<void> {
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
        telling({ add: { pending_member_count: -1 } }, fact),
        where('attribute_exists(#pk)'),
      ),
    }),
  );
}

/** Holds while an invitation is as it was read, but for the copy of its user. */
export const unchangedInvitation = ({ member_id, modified_at }: InvitationItem): Condition =>
  where('#member_id = :member_id AND #modified_at = :modified_at', { member_id, modified_at });

function factOf(
  what: 'created' | 'resent' | 'revoked' | 'declined' | 'expired',
  { user_id, member_id, role }: InvitationItem,
): Fact {
  return { type: `workspace.invitation.${what}`, data: { user_id, member_id, role } };
}

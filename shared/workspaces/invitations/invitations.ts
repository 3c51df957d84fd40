import { getItem } from '../../db/batch-loader.ts';
import { attributesUnchanged, type Condition } from '../../db/condition.ts';
import { epochSeconds } from '../../db/item.ts';
import { prefixes } from '../../db/key-prefixes.ts';
import { keys } from '../../db/keys.ts';
import { query } from '../../db/query.ts';
import type { UserItem } from '../../identity/users/users.ts';
import { normalizeEmail } from '../../model/email.ts';
import { lifetimes } from '../../model/limits.ts';
import { type InvitationItem, isOpen, type MemberItem } from '../items.ts';
import { profileOf } from '../members/profile-projection.ts';

export type InvitationState = 'pending' | 'expired';

/** The expiry of an invitation, and the TTL of its item in epoch seconds. `expires_in` is in seconds. */
export function invitationTimes(expires_in: number, modified_at: string) {
  const end = Date.parse(modified_at) + expires_in * 1_000;
  return {
    invitation_expires_at: new Date(end).toISOString(),
    expires_at: epochSeconds(new Date(end)) + lifetimes.expiredInvitation,
  };
}

/** The lifetime of an invitation in seconds, from its creation or last renewal. */
export const lifetimeOf = ({ invitation_expires_at, modified_at }: InvitationItem): number =>
  (Date.parse(invitation_expires_at) - Date.parse(modified_at)) / 1_000;

/**
 * True if the user still has the mailbox that was invited. An attacker who creates an account with another person's
 * e-mail and then changes it to their own must not get that person's invitation.
 */
export const isFor = ({ mailbox }: InvitationItem, { email }: UserItem): boolean =>
  mailbox === normalizeEmail(email);

/** Whether an invitation is open, and to the mailbox that the user still has. */
export const isOpenFor = (invitation: InvitationItem, user: UserItem, now: Date): boolean =>
  isOpen(invitation, now) && isFor(invitation, user);

/** The invitation of a user to a workspace, open or expired, or undefined. */
export async function getInvitation(
  workspace_id: string,
  uid: string,
): Promise<InvitationItem | undefined> {
  const item = await getItem<StoredInvitation>(keys.invitation(workspace_id, uid));
  return item && asInvitation(item);
}

type StoredInvitation = MemberItem & Partial<InvitationItem>;

/** A stored invitation with all its fields: one of before version 0.3.0 has no expiry, mailbox or token. */
export function asInvitation(item: StoredInvitation): InvitationItem {
  if (item.invitation_expires_at !== undefined) return item as InvitationItem;
  const mailbox = normalizeEmail(profileOf(item).email);
  const times = invitationTimes(lifetimes.invitation, item.created_at);
  return { ...item, ...times, mailbox, token_sha256: '' };
}

/**
 * An invitation as those who manage the workspace see it: with the e-mail that they invited. An e-mail that the user
 * has moved to is not shown to them, nor found by their search: anybody may have invited the former one.
 */
export function asInvited(invitation: InvitationItem): InvitationItem {
  const { mailbox } = invitation;
  const { verified, ...profile } = profileOf(invitation);
  if (normalizeEmail(profile.email) === mailbox) return invitation;
  const shown = { ...profile, email: mailbox, verified: { ...verified, email: false } };
  return { ...invitation, profile: JSON.stringify(shown) };
}

/** All invitations of a workspace in this state, in the order of their users' ids. At most 1,000 are open. */
export async function listInvitations(
  workspace_id: string,
  state: InvitationState,
  now: Date,
): Promise<InvitationItem[]> {
  const stored = await readInvitations(workspace_id);
  return stored.filter((invitation) => isOpen(invitation, now) === (state === 'pending'));
}

/**
 * The invitations of a workspace to an e-mail, open or expired: those that were sent there, whatever e-mail their users
 * have now, or else that of the user who has the e-mail now. That user's is the first. Several were sent there if the
 * e-mail moved between two invitations; each has a token in that mailbox.
 */
export async function findInvitationsTo(
  workspace_id: string,
  { email, uid }: { email: string; uid: string | undefined },
): Promise<InvitationItem[]> {
  const stored = await readInvitations(workspace_id);
  const sent = stored.filter(({ mailbox }) => mailbox === normalizeEmail(email));
  const theirs = (sent.length > 0 ? sent : stored).filter(({ user_id }) => user_id === uid);
  return [...theirs, ...sent.filter(({ user_id }) => user_id !== uid)];
}

async function readInvitations(workspace_id: string): Promise<InvitationItem[]> {
  const { items } = await query<StoredInvitation>({
    partition: keys.workspace(workspace_id).pk,
    prefix: prefixes.pending,
  });
  return items.map(asInvitation);
}

/** Whether DynamoDB may delete it at any time, which must not be visible: it is neither listed nor sent again. */
export const isPurged = ({ expires_at }: InvitationItem, now: Date): boolean =>
  expires_at <= epochSeconds(now);

/** True while the invitation is unchanged since it was read, apart from the profile copy. */
export const invitationUnchanged = (invitation: InvitationItem): Condition =>
  attributesUnchanged(invitation, ['member_id', 'modified_at', 'inviter_email']);

import type { KeyObject } from 'node:crypto';
import { modifiedAt } from '../../db/modified-at.ts';
import { accountKey, consumeRateLimit, hasRoom, refundRateLimit } from '../../db/rate-limits.ts';
import { StaleReadError } from '../../db/request-context.ts';
import { newInvitedUser } from '../../identity/users/invited-user.ts';
import { getUidByEmail, getUser, type UserItem } from '../../identity/users/users.ts';
import { type MailItem, newMail } from '../../mail/mails.ts';
import { normalizeEmail } from '../../model/email.ts';
import { ApiError } from '../../model/errors.ts';
import type { Role } from '../../model/fields.ts';
import { newUid } from '../../model/ids.ts';
import { type Principal, refusalToManage, standingIn } from '../../roles/principal.ts';
import type { Inviter } from '../authorize.ts';
import { type InvitationItem, isOpen, type MemberItem, type WorkspaceItem } from '../items.ts';
import { getMember, newMember } from '../members/members.ts';
import { invitationTokenDigest } from './invitation-token.ts';
import { getInvitation, invitationTimes, isFor } from './invitations.ts';

/** An invitation to store, with the other items of its transaction. */
export type NewInvitation = {
  invitation: InvitationItem;
  user: UserItem;
  /** The user is created in the same transaction. */
  isNew: boolean;
  /** The invitation that this one replaces: an expired one, or one to an address that the user had before. */
  before?: InvitationItem | undefined;
  mail?: MailItem | undefined;
};

/** The address to invite, and its role. */
export type Invitee = { email: string; role: Role; message?: string | undefined };

/** Options shared by the invitations of one request. */
export type InviteOptions = {
  workspace: WorkspaceItem;
  inviter: Inviter;
  /** Seconds. */
  expires_in: number;
  send_mail: boolean;
  /** The key that derives the tokens. */
  key: KeyObject;
  now: Date;
};

/**
 * The user, and the member or invitation, of an address. An expired invitation does not prevent a new one, nor does one
 * that was sent to an address that the user had before, to those who may revoke it.
 */
export type InviteeState = {
  user?: UserItem | undefined;
  member?: MemberItem | undefined;
  invitation?: InvitationItem | undefined;
};

/**
 * Reads the user, member and invitation of an address in a workspace. Throws `StaleReadError` if the e-mail moves to
 * another user between the two reads.
 */
export async function readInviteeState(
  project_id: string,
  workspace_id: string,
  email: string,
): Promise<InviteeState> {
  const uid = await getUidByEmail(project_id, email);
  if (uid === undefined) return {};
  const [user, member, invitation] = await Promise.all([
    getUser(project_id, uid),
    getMember(workspace_id, uid),
    getInvitation(workspace_id, uid),
  ]);
  // The e-mail moved to another user between the two reads.
  if (!user) throw new StaleReadError();
  return { user, member, invitation };
}

/** Builds an invitation for an address that can be invited. */
export function makeInvitation(
  { email, role, message }: Invitee,
  state: InviteeState,
  options: InviteOptions,
): NewInvitation {
  const { workspace, inviter, expires_in, send_mail, key, now } = options;
  const { project_id } = workspace;
  const user = state.user ?? newInvitedUser(project_id, newUid(now), email, now);
  const invitation = withNewToken(
    {
      ...newMember('pending', workspace, user, role, inviter, now),
      ...(message !== undefined && { message }),
    },
    normalizeEmail(email),
    expires_in,
    key,
    now,
  );
  return {
    invitation,
    user,
    isNew: state.user === undefined,
    before: state.invitation,
    ...(send_mail && { mail: invitationMailOf(invitation, email, now) }),
  };
}

/**
 * Returns an invitation, created or renewed now, with a new token and a new expiry.
 *
 * @param expires_in seconds
 */
export function withNewToken(
  invitation: MemberItem & { message?: string },
  mailbox: string,
  expires_in: number,
  key: KeyObject,
  now: Date,
): InvitationItem {
  // `lifetimeOf` computes the lifetime from these two times, so both must start from the same moment.
  const modified_at = modifiedAt(now, invitation);
  const next = { ...invitation, mailbox, modified_at };
  const times = invitationTimes(expires_in, modified_at);
  return { ...next, ...times, token_sha256: invitationTokenDigest(next, key) };
}

/**
 * Whom a resent invitation names as its inviter: the one it has, unless they have left the workspace or are suspended.
 * Then it is who sends it again; for a backend, as where it invites, the owner.
 */
export async function inviterOfResent(
  workspace: WorkspaceItem,
  { inviter_id: uid, inviter_email: email }: InvitationItem,
  sender: Inviter,
): Promise<Inviter> {
  // Of the sender, the e-mail of today.
  if (uid === sender.uid) return sender;
  const stays =
    uid === workspace.owner_id ||
    standingIn(workspace, await getMember(workspace.workspace_id, uid));
  return stays ? { uid, email } : sender;
}

/** The mail for the current version of an invitation. */
export function invitationMailOf(invitation: InvitationItem, to: string, now: Date) {
  const { project_id, workspace_id, user_id, modified_at: invited_at } = invitation;
  return newMail(
    'workspace_invitation',
    { project_id, to, workspace_id, user_id, invited_at },
    now,
  );
}

/** An invitation to an address, as the rate limit counts it. */
type Sent = { project_id: string; email: string; mailed: boolean; now: Date };

const rateOf = ({ mailed }: Sent) => (mailed ? 'invitationsToOne' : 'unmailedInvitationsToOne');

/** The backend counts apart: what people invite and revoke does not keep it from inviting. */
const subjectOf = ({ project_id, email }: Sent, byBackend: boolean) =>
  `${accountKey(project_id, email)}${byBackend ? ' by the backend' : ''}`;

/** Whether an invitation to an address counts: not that of a backend that sends no mail. */
const counts = ({ mailed }: Sent, principal: Principal | undefined) =>
  mailed || principal !== undefined;

/** Consumes the rate limit of invitations to an address. Throws `too_many_requests`. */
export async function countInvitation(sent: Sent, principal: Principal | undefined): Promise<void> {
  if (!counts(sent, principal)) return;
  await consumeRateLimit(rateOf(sent), subjectOf(sent, !principal), sent.now);
}

/** Whether `countInvitation` would succeed now. Counts nothing. */
export async function mayCountInvitation(
  sent: Sent,
  principal: Principal | undefined,
): Promise<boolean> {
  return !counts(sent, principal) || hasRoom(rateOf(sent), subjectOf(sent, !principal), sent.now);
}

/** Refunds the rate limit, if this request consumed it, when no invitation is created. */
export function uncountInvitation(sent: Sent): void {
  // A request is that of a person or of the backend, so it consumed at most one of the two.
  for (const byBackend of [false, true])
    refundRateLimit(rateOf(sent), subjectOf(sent, byBackend), sent.now);
}

/**
 * The error if the caller cannot invite an address, or undefined. An invitation to an address that the user had before
 * is replaced, unless the caller may not revoke it.
 */
export function inviteConflict(
  { user, member, invitation }: InviteeState,
  principal: Principal | undefined,
  now: Date,
): ApiError | undefined {
  if (member) {
    const { member_id, user_id } = member;
    return new ApiError('already_member', { members: { member_id, user_id } });
  }
  if (!user || !invitation || !isOpen(invitation, now)) return undefined;
  if (!isFor(invitation, user) && !refusalToManage(principal, invitation)) return undefined;
  const { member_id, user_id } = invitation;
  return new ApiError('invitation_exists', { members: { member_id, user_id } });
}

/** The rows whose address already appears in an earlier row. */
export function duplicatesOf(rows: readonly Invitee[]): Set<Invitee> {
  const seen = new Set<string>();
  return new Set(
    rows.filter(({ email }) => {
      const name = normalizeEmail(email);
      const again = seen.has(name);
      seen.add(name);
      return again;
    }),
  );
}

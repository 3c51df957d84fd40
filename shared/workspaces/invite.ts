import { modifiedAt } from '../db/modified-at.ts';
import { accountKey, consumeRateLimit, refundRateLimit } from '../db/rate-limits.ts';
import { StaleReadError } from '../db/request-context.ts';
import { getUidByEmail, getUser, newUser } from '../identity/users.ts';
import { newMail } from '../mail/mails.ts';
import { normalizeEmail } from '../model/email.ts';
import { ApiError } from '../model/errors.ts';
import type { Role } from '../model/fields.ts';
import { newUid } from '../model/ids.ts';
import type { Actor } from './authorize.ts';
import { digestOf } from './invitation-token.ts';
import { getInvitation, invitationTimes, type NewInvitation } from './invitations.ts';
import { type InvitationItem, isOpen, type MemberItem, type WorkspaceItem } from './items.ts';
import { getMember, newMember } from './members.ts';

/** Whom to invite, and as what. */
export type Invitee = { email: string; role: Role; message?: string | undefined };

/** How invitations of one request are made. */
export type InviteOptions = {
  workspace: WorkspaceItem;
  inviter: Actor;
  /** Seconds. */
  expires_in: number;
  send_mail: boolean;
  /** Derives the tokens. */
  key: Buffer;
  now: Date;
};

/** What stands in the way of an invitation, or nothing but an expired one. */
export type InviteeState = {
  member?: MemberItem | undefined;
  invitation?: InvitationItem | undefined;
};

/** What there is of an e-mail in a workspace. Throws `StaleReadError` where the e-mail moves between the two reads. */
export async function readInviteeState(
  project_id: string,
  workspace_id: string,
  email: string,
): Promise<InviteeState & { user?: Awaited<ReturnType<typeof getUser>> }> {
  const uid = await getUidByEmail(project_id, email);
  if (uid === undefined) return {};
  const [user, member, invitation] = await Promise.all([
    getUser(project_id, uid),
    getMember(workspace_id, uid),
    getInvitation(workspace_id, uid),
  ]);
  // The guard names a user whose e-mail moved between the two reads.
  if (!user) throw new StaleReadError();
  return { user, member, invitation };
}

/** An invitation to be stored, of an e-mail of which nothing stands in the way. */
export function makeInvitation(
  { email, role, message }: Invitee,
  known: Awaited<ReturnType<typeof readInviteeState>>,
  terms: InviteOptions,
): NewInvitation {
  const { workspace, inviter, expires_in, send_mail, key, now } = terms;
  const { project_id } = workspace;
  const user = known.user ?? newUser(project_id, newUid(now), now, { email });
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
    isNew: known.user === undefined,
    before: known.invitation,
    ...(send_mail && { mail: mailOf(invitation, email, now) }),
  };
}

/** An invitation as it is made or renewed now: with another token and another end. */
export function withNewToken(
  invitation: MemberItem & { message?: string },
  mailbox: string,
  expires_in: number,
  key: Buffer,
  now: Date,
): InvitationItem {
  // By the end of an invitation and this time its life is known, so both are of one moment.
  const modified_at = modifiedAt(now, invitation);
  const next = { ...invitation, mailbox, modified_at };
  const times = invitationTimes(expires_in, modified_at);
  return { ...next, ...times, token_sha256: digestOf(next, key) };
}

/** The mail that brings an invitation as it is now. */
export function mailOf(invitation: InvitationItem, to: string, now: Date) {
  const { project_id, workspace_id, user_id, modified_at: invited_at } = invitation;
  return newMail(
    'workspace_invitation',
    { project_id, to, workspace_id, user_id, invited_at },
    now,
  );
}

/** An invitation to an e-mail, by its project, and how it gets there. */
type Sent = { project_id: string; email: string; mailed: boolean; now: Date };

const rateOf = ({ mailed }: Sent) => (mailed ? 'invitationsToOne' : 'unmailedInvitationsToOne');

/** Counts an invitation to an e-mail, unless a project's back end makes it without a mail. Throws `too_many_requests`. */
export async function countInvitation(sent: Sent, manager: string | undefined): Promise<void> {
  const { project_id, email, mailed, now } = sent;
  if (!mailed && manager === undefined) return;
  await consumeRateLimit(rateOf(sent), accountKey(project_id, email), now);
}

/** Takes that back, if this request has counted it, where nobody is invited after all. */
export function uncountInvitation(sent: Sent): void {
  refundRateLimit(rateOf(sent), accountKey(sent.project_id, sent.email), sent.now);
}

/** Why an e-mail cannot be invited. */
export function inviteConflict(
  { member, invitation }: InviteeState,
  now: Date,
): ApiError | undefined {
  if (member) {
    const { member_id, user_id } = member;
    return new ApiError('already_member', { members: { member_id, user_id } });
  }
  if (!invitation || !isOpen(invitation, now)) return undefined;
  const { member_id, user_id } = invitation;
  return new ApiError('invitation_exists', { members: { member_id, user_id } });
}

/** The rows that name an e-mail that an earlier one named. */
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

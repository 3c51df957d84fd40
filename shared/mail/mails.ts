import { type LinkPurpose, linkPurposes } from '../access/projects.ts';
import { create, type Write } from '../db/change.ts';
import { exists, where } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { ifConditionFails, ifConditionHolds, updateItem } from '../db/transaction.ts';
import { newMailId } from '../model/ids.ts';
import { type Language, preferredLanguage } from '../model/languages.ts';
import { lifetimes } from '../model/limits.ts';

/** What happened to an account and is told to its user: only `noticeTo` makes such a mail. */
export type NoticeKind =
  | 'email_changed'
  | 'password_changed'
  | 'new_device'
  | 'impersonated'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'passkey_added'
  | 'passkey_removed'
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_codes_renewed'
  | 'recovery_code_used'
  | 'factor_locked'
  | 'recovery_code_required';

/** The kind of a mail that is made by `newMail`. */
type OtherKind =
  | LinkPurpose
  | 'workspace_invitation'
  | 'sign_in_code'
  | 'password_locked'
  | 'second_factor_required';

/**
 * The kind of a mail. Those with a link purpose carry a token, `sign_in_code` carries a code, the others only inform.
 */
export type MailKind = NoticeKind | OtherKind;

/**
 * The outcome of a mail. `unneeded`: there was no account to write about, or what it was about has changed. `expired`:
 * its code, token or invitation was no longer valid. `suppressed`: earlier mail to the address bounced or got a
 * complaint. `limited`: the user has had as many of its kind today as one gets. `rejected`: there is no sender, only a
 * later release knows its kind, or the mail service rejects it. `unknown`: the mail service may have accepted it, so it
 * is not sent again.
 */
export type Outcome =
  | 'sent'
  | 'unneeded'
  | 'expired'
  | 'suppressed'
  | 'limited'
  | 'rejected'
  | 'unknown';

/**
 * A mail to be sent. It is written in the transaction of the change that it informs about, and contains no secret:
 * tokens are derived.
 */
export type MailItem = Item & {
  mail_id: string;
  project_id: string;
  kind: MailKind;
  to: string;
  /** The user of the account that a notice is about; unset in other mails, and in those of releases before 0.30.0. */
  uid?: string;
  /** The language of the request that asked for it; unset: the project's, as of every mail that nobody asked for. */
  language?: Language;
  /** The new e-mail, in a mail that informs the old one. */
  new_email?: string;
  /** The identity provider that the mail names. */
  provider?: string;
  /** The passkey that the mail names. */
  passkey?: string;
  /** Why somebody acts as the recipient. */
  reason?: string;
  /** User-Agent of the device that signed in, as in its session. */
  user_agent?: string;
  address?: string;
  /** The membership or invitation that the mail is about. */
  workspace_id?: string;
  user_id?: string;
  /** The version of the invitation in the mail; the mail is not sent if the invitation was renewed since. */
  invited_at?: string;
  created_at: string;
  /** Epoch seconds. */
  expires_at: number;
  /** Set by the sender before sending, so that no other sender sends it meanwhile. */
  claimed_at?: string;
  outcome?: Outcome;
  message_id?: string;
};

/** Mails that people ask for themselves. */
const requested: ReadonlySet<MailKind> = new Set([...linkPurposes, 'sign_in_code']);

/** What a notice says beside its kind. */
type NoticeAbout = Pick<
  MailItem,
  'new_email' | 'provider' | 'passkey' | 'user_agent' | 'reason' | 'address'
>;

type About = Pick<
  MailItem,
  'project_id' | 'to' | 'uid' | 'workspace_id' | 'user_id' | 'invited_at'
>;

/** A new mail, not yet stored. */
export const newMail = (
  kind: OtherKind,
  about: About,
  now: Date,
  mail_id = newMailId(),
): MailItem => mailOf(kind, about, now, mail_id);

/**
 * The write of a mail that tells a user what happened to their account. None unless somebody has proven the e-mail: an
 * account may have that of a stranger, whom its user would mail any number of times, in words of their own.
 */
export function noticeTo(
  user: { project_id: string; uid: string; email: string; verified: { email: boolean } },
  kind: NoticeKind,
  about: NoticeAbout,
  now: Date,
): { notice?: Write } {
  const { project_id, uid, email: to, verified } = user;
  if (!verified.email || to === '') return {};
  return { notice: create(mailOf(kind, { ...about, project_id, uid, to }, now, newMailId())) };
}

/**
 * A mail that its recipient asks for is in the language of the request. A notice is not: its request may be an
 * attacker's, who would choose a language that the recipient cannot read.
 */
function mailOf(kind: MailKind, about: About & NoticeAbout, now: Date, mail_id: string): MailItem {
  const language = requested.has(kind)
    ? preferredLanguage(currentRequest().acceptLanguage ?? '')
    : undefined;
  return {
    ...keys.mail(mail_id),
    ...about,
    ...(language && { language }),
    mail_id,
    kind,
    created_at: now.toISOString(),
    expires_at: epochSeconds(now) + lifetimes.mail,
  };
}

const withoutOutcome = 'attribute_exists(#pk) AND attribute_not_exists(#outcome)';

/**
 * Milliseconds after which a claim without an outcome is void. `mail.send` runs for 60 seconds at most; the rest is for
 * clocks that differ. SQS gives a message again after 90 (lib/domains/mail.ts), and never waits for it.
 */
const sending = 75_000;

/**
 * Claims a mail for sending, unless it has `ended`, or is gone, or is `taken` by a sender that may be sending it.
 * A sender that died after its claim may have sent the mail, and it is sent again: a notice that nobody can request had
 * better come twice, very rarely, than never.
 */
export async function claimMail(mail_id: string, now: Date): Promise<MailItem | 'taken' | 'ended'> {
  const claiming = updateItem<MailItem>(
    keys.mail(mail_id),
    { set: { claimed_at: now.toISOString() } },
    where(`${withoutOutcome} AND (attribute_not_exists(#claimed_at) OR #claimed_at < :void)`, {
      void: new Date(now.getTime() - sending).toISOString(),
    }),
  );
  return ifConditionFails(claiming, ({ item }) => (item && !item['outcome'] ? 'taken' : 'ended'));
}

/** Releases a mail that was certainly not sent, so that the next attempt claims it. */
export async function releaseMail(mail_id: string): Promise<void> {
  const changes = { remove: ['claimed_at'] };
  await ifConditionHolds(updateItem(keys.mail(mail_id), changes, where(withoutOutcome)));
}

/** Records the outcome of a mail. */
export async function recordOutcome(
  mail_id: string,
  result: { outcome: Outcome; message_id?: string },
): Promise<void> {
  await ifConditionHolds(updateItem(keys.mail(mail_id), { set: result }, exists));
}

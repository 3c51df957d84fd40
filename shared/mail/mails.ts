import type { LinkPurpose } from '../access/projects.ts';
import { ConditionFailed, where } from '../db/change.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { keys } from '../db/schema.ts';
import { ifConditionHolds, updateItem } from '../db/transaction.ts';
import { newMailId } from '../model/ids.ts';
import { lifetimes } from '../model/limits.ts';

/** What a mail is about. Those of a link's purpose bring a token, `sign_in_code` a code, the others only tell. */
export type MailKind =
  | LinkPurpose
  | 'workspace_invitation'
  | 'sign_in_code'
  | 'email_changed'
  | 'password_changed'
  | 'password_locked'
  | 'new_device'
  | 'identity_linked'
  | 'identity_unlinked';

/**
 * What became of a mail. `unneeded`: there was no account to write about. `expired`: what it brings was no longer good.
 * `suppressed`: mail to the address bounced or was complained of. `rejected`: there is no sender, or the mail service
 * refuses it. `unknown`: the mail service may have taken it, so it is not sent again.
 */
export type Outcome = 'sent' | 'unneeded' | 'expired' | 'suppressed' | 'rejected' | 'unknown';

/** A mail to be sent. It is written together with what it tells of, and holds nothing secret: tokens are derived. */
export type MailItem = Item & {
  mail_id: string;
  project_id: string;
  kind: MailKind;
  to: string;
  /** The new e-mail, where the mail tells the old one of it. */
  new_email?: string;
  /** The identity provider that the mail tells of. */
  provider?: string;
  /** The device that signed in, as its session shows it. */
  user_agent?: string;
  address?: string;
  /** The invitation that the mail brings, as it was when it was made or renewed; the mail is void once it is another. */
  workspace_id?: string;
  user_id?: string;
  invited_at?: string;
  created_at: string;
  /** Epoch seconds. */
  expires_at: number;
  /** Set by whoever sends it, before it is sent: so nobody else does. */
  claimed_at?: string;
  outcome?: Outcome;
  message_id?: string;
};

/** A new mail, not yet stored. */
export function newMail(
  kind: MailKind,
  about: Pick<
    MailItem,
    | 'project_id'
    | 'to'
    | 'new_email'
    | 'provider'
    | 'user_agent'
    | 'address'
    | 'workspace_id'
    | 'user_id'
    | 'invited_at'
  >,
  now: Date,
): MailItem {
  const mail_id = newMailId();
  return {
    ...keys.mail(mail_id),
    ...about,
    mail_id,
    kind,
    created_at: now.toISOString(),
    expires_at: epochSeconds(now) + lifetimes.mail,
  };
}

/**
 * Takes a mail to send it; undefined where somebody has, or it is gone. Whoever took it and died may have sent it, so
 * nobody takes it again: a mail is sent once or, very seldom, not at all, and whoever waits for it asks for another.
 */
export async function claimMail(mail_id: string, now: Date): Promise<MailItem | undefined> {
  try {
    const claimed = await updateItem(
      keys.mail(mail_id),
      { set: { claimed_at: now.toISOString() } },
      where('attribute_exists(#pk) AND attribute_not_exists(#claimed_at)'),
    );
    return claimed as MailItem;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** Gives a mail back that was surely not sent, so that the next try takes it. */
export async function releaseMail(mail_id: string): Promise<void> {
  const claimed = where('attribute_exists(#claimed_at) AND attribute_not_exists(#outcome)');
  await ifConditionHolds(updateItem(keys.mail(mail_id), { remove: ['claimed_at'] }, claimed));
}

/** Notes what became of a mail. */
export async function recordOutcome(
  mail_id: string,
  result: { outcome: Outcome; message_id?: string },
): Promise<void> {
  const exists = where('attribute_exists(#pk)');
  await ifConditionHolds(updateItem(keys.mail(mail_id), { set: result }, exists));
}

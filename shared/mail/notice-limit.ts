import { countUse, uncountUse } from '../db/rate-limits.ts';
import type { MailItem, MailKind, NoticeKind } from './mails.ts';

/** Whether the notices of a kind are limited here. Others have a limit of their own, or the backend causes them. */
const isLimited: Record<NoticeKind, boolean> = {
  email_changed: true,
  password_changed: true,
  new_device: false,
  impersonated: false,
  identity_linked: true,
  identity_unlinked: true,
  passkey_added: true,
  passkey_removed: true,
  factor_added: true,
  factor_removed: true,
  recovery_codes_renewed: true,
  recovery_code_used: true,
  factor_locked: true,
  recovery_code_required: true,
};
const limited = new Set<MailKind>(
  (Object.keys(isLimited) as NoticeKind[]).filter((kind) => isLimited[kind]),
);

const rate = 'noticesToOne';
/** By user, not by address: who changes the e-mail, as to `ada+1@`, does not begin anew. */
const subjectOf = ({ project_id, uid, to, kind }: MailItem): string =>
  `${project_id} ${uid ?? to} ${kind}`;

/** Counts a mail that is about to be sent, if it is a notice. False if its user has had too many of its kind. */
export const mayBeSent = async (mail: MailItem, now: Date): Promise<boolean> =>
  !limited.has(mail.kind) || countUse(rate, subjectOf(mail), now);

/** Takes the count of a mail back that was certainly not sent. */
export async function uncountMail(mail: MailItem, now: Date): Promise<void> {
  if (limited.has(mail.kind)) await uncountUse(rate, subjectOf(mail), now);
}

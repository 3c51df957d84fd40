import type { LinkPurpose } from '../../access/projects.ts';
import type { MailKind } from '../../mail/mails.ts';
import { lifetimes } from '../../model/limits.ts';
import { linkLifetimes } from './email-challenges.ts';

/**
 * Seconds within which a mail that a workspace requires a second factor is worth sending. There may be 100,000 at once,
 * and SQS looks for those of other projects among the first 120,000 that wait. Not in limits.ts, which every bundle
 * contains.
 */
const secondFactorMail = 3_600;

/**
 * Seconds within which a mail is worth sending. A mere notice is worth it until its item expires, and the queue of the
 * mails keeps messages as long (lib/domains/mail.ts).
 */
export function worthFor(kind: MailKind): number {
  if (kind === 'sign_in_code') return lifetimes.signInCode;
  if (kind === 'second_factor_required') return secondFactorMail;
  return kind in linkLifetimes ? linkLifetimes[kind as LinkPurpose] : lifetimes.mail;
}

import type { LinkPurpose } from '../../access/projects.ts';
import type { MailKind } from '../../mail/mails.ts';
import { lifetimes } from '../../model/limits.ts';
import { linkLifetimes } from './email-challenges.ts';

/**
 * Seconds within which a mail is worth sending. A mere notice is worth it until its item expires, and the queue of the
 * mails keeps messages as long (lib/domains/mail.ts).
 */
export function worthFor(kind: MailKind): number {
  if (kind === 'sign_in_code') return lifetimes.signInCode;
  if (kind === 'second_factor_required') return lifetimes.secondFactorMail;
  return kind in linkLifetimes ? linkLifetimes[kind as LinkPurpose] : lifetimes.mail;
}

import type { CaptchaCheck } from '../../captcha/captcha.ts';
import { type Change, change, create } from '../../db/change.ts';
import {
  accountKey,
  consumeRateLimit,
  networkKey,
  refundRateLimit,
  siteKey,
} from '../../db/rate-limits.ts';
import { currentRequest } from '../../db/request-context.ts';
import { getMailKey, mailedToken } from '../../mail/mail-secret.ts';
import { newMail } from '../../mail/mails.ts';
import { lifetimes } from '../../model/limits.ts';
import {
  newEmailChallenge,
  newMailToken,
  type TokenPurpose,
  tokenLifetimes,
} from './email-challenges.ts';
import { newSignInLink } from './sign-in-links.ts';

/**
 * The recipient of a requested mail. Nothing here checks whether there is an account: every e-mail causes the same
 * reads and writes, so that neither the response nor its time reveals it. The mail function decides whether to send a
 * mail.
 */
type Recipient = {
  project_id: string;
  /** The address that gets the mail. */
  email: string;
  /** The user who may use the token, and the e-mail that it replaces. */
  uid?: string;
  from_email?: string;
  /** The session that requested the mail. The token becomes invalid with it. */
  session_id?: string;
  /** The network address of the request. */
  address: string;
  /** Throws if the network has asked for so many mails that it needs a captcha. */
  admit?: CaptchaCheck;
};

/** Mails a link with a token. Returns its lifetime in seconds. Throws `too_many_requests`. */
export async function mailLink(
  purpose: TokenPurpose,
  to: Recipient,
): Promise<Change<{ expires_in: number }>> {
  const { now } = currentRequest();
  const { address: _, admit: __, ...of } = to;
  const [key] = await Promise.all([getMailKey(), limitMails(to)]);
  const mail = newMail(purpose, { project_id: of.project_id, to: of.email }, now);
  const token = newMailToken(mailedToken(mail.mail_id, key), purpose, of, now);
  return change(
    { token: create(token), mail: create(mail) },
    { expires_in: tokenLifetimes[purpose] },
  );
}

/** Mails a code. Returns the id of its challenge and its lifetime in seconds. Throws `too_many_requests`. */
export async function mailCode(
  to: Recipient,
): Promise<Change<{ challenge_id: string; expires_in: number }>> {
  const { now } = currentRequest();
  const { project_id, email } = to;
  await limitMails(to);
  const mail = newMail('sign_in_code', { project_id, to: email }, now);
  const challenge = newEmailChallenge(mail, now);
  const { challenge_id } = challenge;
  return change(
    { challenge: create(challenge), mail: create(mail) },
    { challenge_id, expires_in: lifetimes.signInCode },
  );
}

/**
 * Mails a sign-in link, for the browser that has the verifier of the challenge. Returns its id and its lifetime in
 * seconds. Throws `too_many_requests`.
 */
export async function mailSignInLink(
  to: Recipient,
  challenge: string,
): Promise<Change<{ link_id: string; expires_in: number }>> {
  const { now } = currentRequest();
  const { project_id, email } = to;
  await limitMails(to);
  const mail = newMail('sign_in_link', { project_id, to: email }, now);
  const link = newSignInLink(mail, challenge, now);
  const { link_id } = link;
  return change(
    { link: create(link), mail: create(mail) },
    { link_id, expires_in: lifetimes.signInLink },
  );
}

/** Limits the mails to one mailbox and from one network, so that nobody can fill a mailbox or spam many. */
async function limitMails({ project_id, email, address, admit }: Recipient): Promise<void> {
  const { now } = currentRequest();
  const mailbox = accountKey(project_id, email);
  // Consumed one after another: a limit that rejects the request must not use up the others, or rejected requests could
  // block a mailbox for a day.
  const network = networkKey(project_id, address);
  const count = await consumeRateLimit('mailsFromOne', network, now);
  // Before a mail of the mailbox is used up: who does not solve the captcha uses up none.
  await admit?.(count - 1, () => refundRateLimit('mailsFromOne', network, now));
  const site = siteKey(project_id, address);
  if (site !== undefined) await consumeRateLimit('mailsFromSite', site, now);
  try {
    await consumeRateLimit('mailsToOne', mailbox, now);
    await consumeRateLimit('mailsToOneDaily', mailbox, now);
  } catch (error) {
    // Only mails count for a site: by requests that are refused a stranger would keep its other customers from theirs.
    if (site !== undefined) refundRateLimit('mailsFromSite', site, now);
    throw error;
  }
}

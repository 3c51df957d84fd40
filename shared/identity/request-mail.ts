import type { LinkPurpose } from '../access/projects.ts';
import { type Change, change, create } from '../db/change.ts';
import { accountKey, consumeRateLimit, networkKey } from '../db/rate-limits.ts';
import { currentRequest } from '../db/request-context.ts';
import { getMailKey, mailedToken } from '../mail/mail-secret.ts';
import { newMail } from '../mail/mails.ts';
import { lifetimes } from '../model/limits.ts';
import { newChallenge, newMailToken, tokenLifetimes } from './email-challenges.ts';

/**
 * What is mailed to whom. Nothing here looks whether there is an account: the same is read and written for every
 * e-mail, so that neither the answer nor its time tells. Who sends the mail decides whether there is something to say.
 */
type Recipient = {
  project_id: string;
  /** Where the mail goes. */
  email: string;
  /** Whose the token is, and which e-mail it is to change. */
  uid?: string;
  from_email?: string;
  /** The session that asked; the token is void once it has ended. */
  session_id?: string;
  /** The address that asked. */
  address: string;
};

/** Mails a link with a token. Results in how long it is good. Throws `too_many_requests`. */
export async function mailLink(
  purpose: LinkPurpose,
  { address, ...of }: Recipient,
): Promise<Change<{ expires_in: number }>> {
  const { now } = currentRequest();
  const [key] = await Promise.all([getMailKey(), limitMails(of.project_id, of.email, address)]);
  const mail = newMail(purpose, { project_id: of.project_id, to: of.email }, now);
  const token = newMailToken(mailedToken(mail.mail_id, key), purpose, of, now);
  return change(
    { token: create(token), mail: create(mail) },
    { expires_in: tokenLifetimes[purpose] },
  );
}

/** Mails a code. Results in the challenge that it meets and how long it is good. Throws `too_many_requests`. */
export async function mailCode({
  project_id,
  email,
  address,
}: Recipient): Promise<Change<{ challenge_id: string; expires_in: number }>> {
  const { now } = currentRequest();
  await limitMails(project_id, email, address);
  const mail = newMail('sign_in_code', { project_id, to: email }, now);
  const challenge = newChallenge(mail, now);
  const { challenge_id } = challenge;
  return change(
    { challenge: create(challenge), mail: create(mail) },
    { challenge_id, expires_in: lifetimes.signInCode },
  );
}

/** Nobody's mailbox can be filled through us, and no address can write to many. */
async function limitMails(project_id: string, email: string, address: string): Promise<void> {
  const { now } = currentRequest();
  const mailbox = accountKey(project_id, email);
  // One after another: what one of them refuses must not use up the others, or requests that mail nothing could shut a
  // mailbox for a day.
  await consumeRateLimit('mailsFromOne', networkKey(project_id, address), now);
  await consumeRateLimit('mailsToOne', mailbox, now);
  await consumeRateLimit('mailsToOneDaily', mailbox, now);
}

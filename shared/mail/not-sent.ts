import { ApiError } from '../model/errors.ts';
import type { MailItem, Outcome } from './mails.ts';

/** The reason not to send a mail. */
export type Unsent = { outcome: Exclude<Outcome, 'sent' | 'unknown'>; cause?: unknown };

/** Seconds in which a deployment replaces the functions. A mail that waits holds up those behind it in its group. */
const deploymentTime = 300;

/** Seconds in which a mail is composed again and again, for the same reason. */
const composingTime = 3_600;

const isYounger = ({ created_at }: MailItem, seconds: number, now: Date): boolean =>
  now.getTime() - Date.parse(created_at) < seconds * 1_000;

/**
 * What becomes of a mail that a later release has written. Throws while that release may still come, so that it sends
 * it.
 */
export function ofUnknownKind(mail: MailItem, now: Date): Unsent {
  const cause = new Error(`This release knows no mail of the kind ${mail.kind}.`);
  if (isYounger(mail, deploymentTime, now)) throw cause;
  return { outcome: 'rejected', cause };
}

/** What becomes of a mail that could not be composed. Throws what stood in its way while that may pass. */
export function notComposed(mail: MailItem, cause: unknown, now: Date): Unsent {
  const isUnavailable = cause instanceof ApiError && cause.code === 'temporarily_unavailable';
  if (isUnavailable || isYounger(mail, composingTime, now)) throw cause;
  return { outcome: 'rejected', cause };
}

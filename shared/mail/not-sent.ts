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

/**
 * A mail is lost for a reason that the operator can remove, and so are those after it until then. It fails the
 * invocation, because the alarm watches nothing else; received again, the mail has its outcome and is done.
 */
export class Lost extends Error {}

/** What SES says of the sender, its configuration set or the whole account, and of no recipient or content. */
const repairable: ReadonlySet<string> = new Set([
  'AccountSuspendedException',
  'MailFromDomainNotVerifiedException',
  'NotFoundException',
]);
/** At the beginning of a message: after it, SES names addresses, which anybody may choose. */
const ofSender = /^(?:Email address is not verified|Sending (?:paused|suspended))/;

/**
 * Milliseconds for which an instance fails no further invocation, the period of the alarm: for each that fails, Lambda
 * takes the mails of all projects more slowly.
 */
const pause = 300_000;
let quietUntil = 0;

/**
 * Throws if the sender is not verified any more, or the account is in the sandbox or suspended. Not for what an address
 * or a name in a mail causes: anybody could ring the alarm with it.
 */
export function throwIfLost(cause: unknown, now: Date): void {
  if (!(cause instanceof Error) || now.getTime() < quietUntil) return;
  const { name, message } = cause;
  if (!repairable.has(name) && !(name === 'MessageRejected' && ofSender.test(message))) return;
  quietUntil = now.getTime() + pause;
  throw new Lost('A mail is lost: the line before this one has its id and the cause.');
}

/** What SES says of the sender, its configuration set or the whole account, and of no recipient or content. */
const repairable: ReadonlySet<string> = new Set([
  'AccountSuspendedException',
  'MailFromDomainNotVerifiedException',
  'NotFoundException',
]);
/** At the beginning of a message: after it, SES names addresses, which anybody may choose. */
const ofSender = /^(?:Email address is not verified|Sending (?:paused|suspended))/;

/**
 * Whether a mail is lost for a reason that the operator can remove, and so are those after it until then: the sender is
 * not verified any more, or the account is in the sandbox or suspended. Not for what an address or a name in a mail
 * causes: anybody could ring the alarm with it.
 */
export const isLost = (cause: unknown): boolean =>
  cause instanceof Error &&
  (repairable.has(cause.name) ||
    (cause.name === 'MessageRejected' && ofSender.test(cause.message)));

/**
 * Milliseconds for which an instance fails no further invocation, the period of the alarm: for each that fails, Lambda
 * takes the mails of all projects more slowly.
 */
const pause = 300_000;
let quietUntil = 0;

/**
 * Fails the invocation for a lost mail, once in a while, because the alarm watches nothing else. Received again, the
 * mail has its outcome and is done.
 */
export function reportLost(now: Date): void {
  if (now.getTime() < quietUntil) return;
  quietUntil = now.getTime() + pause;
  throw new Error('A mail is lost: the line before this one has its id and the cause.');
}

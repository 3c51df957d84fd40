import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';

/** A mail as handed to SES. */
export type Envelope = {
  /** RFC 5322 mailbox. */
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The SES configuration set that reports feedback; none if empty. */
  configuration_set: string;
  /** Tags that SES repeats in feedback about the mail; letters, digits, _ and - only. */
  tags: Record<string, string>;
};

/** The result of sending: its outcome, or `busy`: not accepted, but may be later. */
export type Sending =
  | { outcome: 'sent'; message_id: string; cause?: undefined }
  | { outcome: 'rejected' | 'unknown'; cause: unknown }
  | { outcome: 'busy'; cause: unknown };

// One attempt: a retry after a lost response would send the mail twice. A connection of its own: one that was kept may
// have ended while the instance was frozen, which looks like a lost response, and the mail would never be sent.
const ses = new SESv2Client({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 5_000,
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: false },
    httpsAgent: { keepAlive: false },
  },
});

/** Sends a mail with SES. It never throws: whether it may be retried is part of the result. */
export async function sendMail(mail: Envelope, abortSignal: AbortSignal): Promise<Sending> {
  const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const command = new SendEmailCommand({
    FromEmailAddress: mail.from,
    Destination: { ToAddresses: [mail.to] },
    ConfigurationSetName: mail.configuration_set || undefined,
    EmailTags: Object.entries(mail.tags).map(([Name, Value]) => ({ Name, Value })),
    Content: {
      Simple: {
        Subject: part(mail.subject),
        Body: { Text: part(mail.text), Html: part(mail.html) },
        // RFC 3834: prevents out-of-office replies and mail loops.
        Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      },
    },
  });
  try {
    const { MessageId = '' } = await ses.send(command, { abortSignal });
    return { outcome: 'sent', message_id: MessageId };
  } catch (cause) {
    return { outcome: outcomeAfter(cause), cause };
  }
}

/** SES did not process the mail: too many at once, or a problem that the operator can fix. */
const retryable = new Set([
  'AccessDeniedException',
  'LimitExceededException',
  'SendingPausedException',
  // https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html: beyond the rate, or the day's quota.
  'ThrottlingException',
  'TooManyRequestsException',
]);
/** There was no connection, so the mail was not sent. For one that took too long the SDK has no code. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const notConnected = /did not establish a connection/;

function outcomeAfter(cause: unknown): 'rejected' | 'unknown' | 'busy' {
  if (!(cause instanceof Error)) return 'unknown';
  const { code, $metadata } = cause as { code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (status === 429 || status === 503) return 'busy';
  if (retryable.has(cause.name) || unreached.has(code ?? '')) return 'busy';
  if (notConnected.test(cause.message)) return 'busy';
  // After any other 5xx the mail may have been sent.
  return status !== undefined && status >= 400 && status < 500 ? 'rejected' : 'unknown';
}

/** Maximum characters of a sender's name. */
const maxNameLength = 64;
/** SES refuses a longer mailbox, and counts its encoded name too. */
const maxMailboxLength = 320;
/** RFC 2047 section 2: an encoded word has at most 75 characters, 60 of them base64. */
const bytesOfWord = 45;

/**
 * RFC 5322 section 3.4: an ASCII name in quotes, any other as RFC 2047 encoded words, as much of it as SES takes. The
 * address alone if no character of the name fits.
 */
export function mailbox(name: string, address: string): string {
  const line = name.replaceAll(/[\p{Cc}"\\<>]/gu, ' ').trim();
  const characters = [...line].slice(0, maxNameLength);
  for (; characters.length > 0; characters.pop()) {
    const plain = characters.join('').trimEnd();
    const phrase = /^[\x20-\x7e]*$/.test(plain) ? `"${plain}"` : encodedWords(plain);
    const box = `${phrase} <${address}>`;
    if (box.length <= maxMailboxLength) return box;
  }
  return address;
}

/** Each word is decoded by itself, so a character must not be split between words (RFC 2047 section 5). */
function encodedWords(text: string): string {
  const words: string[] = [];
  for (const character of text) {
    const longer = `${words.at(-1) ?? ''}${character}`;
    if (words.length > 0 && Buffer.byteLength(longer) <= bytesOfWord) words.pop();
    words.push(Buffer.byteLength(longer) <= bytesOfWord ? longer : character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';

/** A mail as it goes out. */
export type Envelope = {
  /** RFC 5322 mailbox. */
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The configuration set by which what comes back is told; none where it is empty. */
  configuration_set: string;
  /** What SES tells again beside whatever comes back of the mail; letters, digits, _ and - only. */
  tags: Record<string, string>;
};

/** How sending went. `refused`: the service will never take it; `busy`: it did not take it, and may later. */
export type Sending =
  | { state: 'sent'; message_id: string }
  | { state: 'refused' | 'busy' | 'unknown'; cause: unknown };

// One attempt: a second one after a lost answer would send the mail twice.
const ses = new SESv2Client({
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
});

/** Hands a mail to SES. It throws nothing: whether it may be repeated is part of the answer. */
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
        // RFC 3834: no vacation notice answers, and no loop begins.
        Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      },
    },
  });
  try {
    const { MessageId = '' } = await ses.send(command, { abortSignal });
    return { state: 'sent', message_id: MessageId };
  } catch (cause) {
    return { state: stateAfter(cause), cause };
  }
}

/** The mail was not looked at: too many at once, or what an operator can mend. */
const retryable = new Set([
  'AccessDeniedException',
  'LimitExceededException',
  'SendingPausedException',
  'TooManyRequestsException',
]);
/** The connection never stood, so the mail never left. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

function stateAfter(cause: unknown): 'refused' | 'busy' | 'unknown' {
  if (!(cause instanceof Error)) return 'unknown';
  const { code, $metadata } = cause as { code?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (status === 429 || status === 503) return 'busy';
  if (retryable.has(cause.name) || (code !== undefined && unreached.has(code))) return 'busy';
  // After any other 5xx the mail may be on its way.
  return status !== undefined && status >= 400 && status < 500 ? 'refused' : 'unknown';
}

/** Characters of a sender's name that are shown. */
const maxNameLength = 64;
/** RFC 2047 section 2: 75 characters of an encoded word, of which base64 has 60. */
const bytesOfWord = 45;

/** RFC 5322 section 3.4: a name in quotes where it is ASCII, else as RFC 2047 has it. */
export function mailbox(name: string, address: string): string {
  const line = name.replaceAll(/[\p{Cc}"\\<>]/gu, ' ').trim();
  const plain = [...line].slice(0, maxNameLength).join('').trimEnd();
  if (plain === '') return address;
  const phrase = /^[\x20-\x7e]*$/.test(plain) ? `"${plain}"` : encodedWords(plain);
  return `${phrase} <${address}>`;
}

/** Each word is decoded by itself, so none may end within a character (RFC 2047 section 5). */
function encodedWords(text: string): string {
  const words: string[] = [];
  for (const character of text) {
    const longer = `${words.at(-1) ?? ''}${character}`;
    if (words.length > 0 && Buffer.byteLength(longer) <= bytesOfWord) words.pop();
    words.push(Buffer.byteLength(longer) <= bytesOfWord ? longer : character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

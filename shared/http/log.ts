import type { Caller } from '../access/caller.ts';
import { env } from '../model/env.ts';

/** The log line of a request or job. It never contains a header, a body, a token or an e-mail. */
export type LogLine = {
  level: 'info' | 'error';
  operation: string;
  /** What the operator does. */
  action?: string;
  request_id: string;
  status?: number;
  code?: string;
  /** Why the request was refused: one code stands for several reasons that a client must not tell apart. */
  reason?: string;
  duration_ms: number;
  project_id?: string | undefined;
  caller?: Caller['kind'] | 'api_key' | undefined;
  uid?: string | undefined;
  /** The API key, of a user or of a workspace, that the caller used. */
  key_id?: string | undefined;
  workspace_id?: string | undefined;
  /** `unnamed`: the trusted proxy did not name its client, so all its clients share one rate limit. */
  client?: 'unnamed';
  session_id?: string;
  mail_id?: string;
  /** The response was stored by an earlier request with the same Idempotency-Key. */
  replayed?: true;
  /** How often the handler was rerun because its reads were stale. */
  reruns?: number;
  /**
   * The cause of an internal error, or of one that the request went on after: name, message and stack of the
   * exceptions.
   */
  cause?: unknown;
};

/** Writes a log line as JSON to standard error, which Lambda sends to the function's log group. */
export function log(line: LogLine): void {
  if (env.logLevel() === 'silent') return;
  process.stderr.write(`${JSON.stringify({ ...line, cause: describe(line.cause) })}\n`);
}

/**
 * An exception and its causes, without extra fields that libraries attach, except which table or index DynamoDB
 * throttles, and why: no message has it.
 */
function describe(cause: unknown, depth = 0): unknown {
  if (cause === undefined || depth > 4) return undefined;
  if (!(cause instanceof Error)) return { message: typeof cause };
  const { name, message, stack = '', ThrottlingReasons, throttlingReasons } = cause as Throttled;
  const reasons = ThrottlingReasons ?? throttlingReasons;
  return {
    name,
    message: withoutPersons(message),
    throttled: reasons?.map(({ reason, resource }) => `${reason} ${resource}`),
    stack: withoutPersons(stack),
    cause: describe(cause.cause, depth + 1),
  };
}

/** Each exception of DynamoDB has them under one of two names. */
type Throttled = Error & {
  [N in 'ThrottlingReasons' | 'throttlingReasons']?: { reason?: string; resource?: string }[];
};

/**
 * Removes personal data: SES errors contain the recipient, and DynamoDB errors repeat rejected values, such as e-mails
 * and password hashes. The mail domain stays, because the operator may have to fix it.
 */
const withoutPersons = (text: string): string =>
  text
    .replaceAll(/[\w.!#$%&'*+/=?^`{|}~-]+@(?=[\w-]+\.)/g, '***@')
    .replaceAll(/\$(?:argon2\w*|2[aby]|scrypt|pbkdf2-\w+|firebase-scrypt)\$[\w$=,+./]*/g, '***');

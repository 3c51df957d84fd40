import type { Caller } from '../access/caller.ts';
import { env } from '../model/env.ts';

/** One line a request: what an operator asks for first. It never holds a header, a body, a token or an e-mail. */
export type LogLine = {
  level: 'info' | 'error';
  operation: string;
  request_id: string;
  status?: number;
  code?: string;
  /** Why the request was refused: one code stands for several reasons that a client must not tell apart. */
  reason?: string;
  duration_ms: number;
  project_id?: string;
  caller?: Caller['kind'];
  uid?: string;
  /** `unnamed`: the trusted proxy did not say for whom it asks, so all its clients count as one. */
  client?: 'unnamed';
  session_id?: string;
  mail_id?: string;
  /** The answer was given before, to a request with the same Idempotency-Key. */
  replayed?: true;
  /** How often the handler started over because its reads were out of date. */
  reruns?: number;
  /** The cause of a failure of ours: name, message and stack of the exceptions. */
  cause?: unknown;
};

/** Writes a log line as JSON to standard error, which Lambda sends to the function's log group. */
export function log(line: LogLine): void {
  if (env.logLevel() === 'silent') return;
  process.stderr.write(`${JSON.stringify({ ...line, cause: describe(line.cause) })}\n`);
}

/** An exception and its causes, without the fields that a library may hang on it. */
function describe(cause: unknown, depth = 0): unknown {
  if (cause === undefined || depth > 4) return undefined;
  if (!(cause instanceof Error)) return { message: typeof cause };
  const { name, message, stack = '' } = cause;
  return {
    name,
    message: withoutPersons(message),
    stack: withoutPersons(stack),
    cause: describe(cause.cause, depth + 1),
  };
}

/**
 * SES says in its refusals to whom it does not send, and DynamoDB repeats what it does not take: e-mails, and the hash
 * of a password. The domain stays: it is what an operator can set right.
 */
const withoutPersons = (text: string): string =>
  text
    .replaceAll(/[\w.!#$%&'*+/=?^`{|}~-]+@(?=[\w-]+\.)/g, '***@')
    .replaceAll(/\$argon2\w*\$[\w$=,+/]*/g, '***');

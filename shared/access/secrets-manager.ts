import { currentRequest } from '../db/request-context.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';
import { getSecretValue } from './get-secret-value.ts';

/**
 * Reads a secret from Secrets Manager and refreshes it every 5 minutes. `read` parses its text, and returns undefined
 * if it is not valid, as one that was never rotated. The reader throws `temporarily_unavailable` if there is
 * no valid secret; `invalid` is then in the log.
 */
export function secretReader<T>(
  id: () => string,
  read: (text: string) => T | undefined,
  invalid = 'Has its rotation run, or was it changed by hand?',
) {
  let cached: { at: number; content: Promise<T> } | undefined;
  return (): Promise<T> => {
    const { now, signal } = currentRequest();
    if (cached && now.getTime() - cached.at < lifetimes.secretCache * 1_000) return cached.content;
    const reading = { at: now.getTime(), content: get(id(), read, invalid, signal) };
    cached = reading;
    reading.content.catch(() => {
      if (cached === reading) cached = undefined;
    });
    return reading.content;
  };
}

async function get<T>(
  SecretId: string,
  read: (text: string) => T | undefined,
  invalid: string,
  abortSignal: AbortSignal,
): Promise<T> {
  const text = await getSecretValue(SecretId, abortSignal).catch((cause: unknown) => {
    throw unavailable(`The secret ${SecretId} cannot be read.`, cause);
  });
  const content = read(text);
  if (content !== undefined) return content;
  throw unavailable(`The secret ${SecretId} is not valid. ${invalid}`);
}

/** The log names the secret: the operator must know which one to repair. */
function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('temporarily_unavailable', {
    retryAfter: 1,
    cause: new Error(message, { cause }),
  });
}

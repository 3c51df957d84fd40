import { serviceUnavailable } from '../db/client.ts';
import { currentRequest } from '../db/request-context.ts';
import { lifetimes } from '../model/limits.ts';
import { getSecretValue } from './get-secret-value.ts';

/**
 * Reads a secret from Secrets Manager and refreshes it every 5 minutes. `read` parses its text, and returns undefined
 * if it is not valid, as one that was never rotated. The reader throws `temporarily_unavailable` if there is
 * no valid secret. The log then has its id, because the operator must know which one to repair, and `invalid`.
 */
export function secretReader<T>(
  id: () => string,
  read: (text: string) => T | undefined,
  invalid = 'Has its rotation run?',
) {
  // Not a `ReadCache`: shared with the project's, it would be one more file to load in seven bundles.
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
    throw serviceUnavailable(new Error(SecretId, { cause }));
  });
  const content = read(text);
  if (content !== undefined) return content;
  throw serviceUnavailable(new Error(`${SecretId}: ${invalid}`));
}

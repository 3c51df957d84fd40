import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { currentRequest } from '../db/request-context.ts';
import { ApiError } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';

// Pure, so that a bundle which reads no secret carries no client either.
const secrets = /* @__PURE__ */ new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 300, requestTimeout: 1_000, throwOnRequestTimeout: true },
});

/**
 * Reads a secret of Secrets Manager, and again every 5 minutes. `read` makes of its text what is needed of it, or
 * undefined where it is not yet what it should be. The reader throws `temporarily_unavailable` without it.
 */
export function secretReader<T>(id: () => string, read: (text: string) => T | undefined) {
  let cached: { at: number; content: Promise<T> } | undefined;
  return (): Promise<T> => {
    const { now, signal } = currentRequest();
    if (cached && now.getTime() - cached.at < lifetimes.secretCache * 1_000) return cached.content;
    const reading = { at: now.getTime(), content: get(id(), read, signal) };
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
  abortSignal: AbortSignal,
): Promise<T> {
  const command = new GetSecretValueCommand({ SecretId });
  const { SecretString = '' } = await secrets
    .send(command, { abortSignal })
    .catch((cause: unknown) => {
      throw new ApiError('temporarily_unavailable', { retryAfter: 1, cause });
    });
  const content = read(SecretString);
  if (content !== undefined) return content;
  const cause = new Error('The secret does not hold yet what it should: has its rotation run?');
  throw new ApiError('temporarily_unavailable', { retryAfter: 1, cause });
}

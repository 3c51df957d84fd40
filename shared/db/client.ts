import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type ServiceOutputTypes } from '@aws-sdk/lib-dynamodb';
import { env } from '../model/env.ts';
import { ApiError } from '../model/errors.ts';
import { currentRequest } from './request-context.ts';
import { createLeanClient } from './transport/client.ts';

/** `DYNAMODB_TRANSPORT=sdk` puts the SDK's own transport back. */
const client =
  env.tableTransport() === 'sdk'
    ? (await import('./transport/sdk-client.ts')).createSdkClient()
    : createLeanClient();

/**
 * The only DynamoDB client of an instance. It never retries by itself, because only `send` knows what may be repeated.
 */
export const dynamodb = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
});

type Sender = <Out extends ServiceOutputTypes>(
  command: unknown,
  options: { abortSignal: AbortSignal },
) => Promise<Out>;

const maxRetries = 8;

/**
 * Sends a command and retries it after transient failures until the request's deadline: throttling, conflicts, 5xx,
 * timeouts and broken connections, with full jitter from 20 ms up to 400 ms. A retried transaction carries the
 * ClientRequestToken of its command, so it takes effect once. Throws `temporarily_unavailable` when out of time, and
 * the SDK's exception for everything that a retry cannot change. With `repeatConflicts: false` a transaction conflict
 * is not retried, so that the caller reads again first; except if an earlier attempt may have taken effect, because the
 * caller would mistake its own write for another's. `onOutcomeUnknown` is called after each attempt that may have taken
 * effect although its response was lost.
 */
export async function send<Out extends ServiceOutputTypes>(
  command: unknown,
  {
    repeatConflicts = true,
    onOutcomeUnknown,
  }: { repeatConflicts?: boolean; onOutcomeUnknown?: () => void } = {},
): Promise<Out> {
  const { deadline, signal } = currentRequest();
  if (Date.now() >= deadline) throw serviceUnavailable(new Error('No time is left.'));
  let outcomeUnknown = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await (dynamodb.send as Sender)<Out>(command, { abortSignal: signal });
    } catch (error) {
      if (signal.aborted) throw serviceUnavailable(error);
      if (!isTransient(error)) throw error;
      if (!repeatConflicts && !outcomeUnknown && isConflict(error)) throw error;
      if (!isKnownNotDone(error)) {
        outcomeUnknown = true;
        onOutcomeUnknown?.();
      }
      await pause(attempt, error);
    }
  }
}

/** Waits before the next attempt, after `attempt` earlier failures. Throws when there is no time left. */
export async function pause(attempt: number, cause: unknown): Promise<void> {
  const { deadline, signal } = currentRequest();
  const wait = Math.random() * Math.min(400, 20 * 2 ** attempt);
  if (attempt >= maxRetries || Date.now() + wait >= deadline) throw serviceUnavailable(cause);
  await sleep(wait, undefined, { signal }).catch(() => {
    throw serviceUnavailable(cause);
  });
}

/** Whether the request has this many milliseconds left. */
export const hasTime = (milliseconds: number): boolean =>
  Date.now() + milliseconds <= currentRequest().deadline;

/** The error for an unknown outcome: the write may or may not have taken effect. The client learns it by retrying. */
export function serviceUnavailable(cause: unknown): ApiError {
  return new ApiError('temporarily_unavailable', { retryAfter: 1, cause });
}

/** Exceptions with which DynamoDB guarantees that it has done nothing. */
const refusedNames = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'Throttling',
  'TransactionConflictException',
];
const transientNames = new Set([
  ...refusedNames,
  'RequestTimeout',
  'TimeoutError',
  'TransactionInProgressException',
]);
const transientReasons = new Set([
  'None',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);
const notConnected = ['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
const brokenConnection = new Set([...notConnected, 'ECONNRESET', 'EPIPE', 'EPROTO', 'ETIMEDOUT']);

/** Whether an attempt that failed with this error has certainly not taken effect. */
const isKnownNotDone = (error: unknown): boolean =>
  error instanceof TransactionCanceledException ||
  refusedNames.includes((error as Error).name) ||
  notConnected.includes((error as { code?: string }).code ?? '');

/** Whether the error is a conflict with another transaction on the same items. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')
  );
}

/**
 * Whether a service of AWS was asked too much, or has failed by itself: the same call may be taken a moment later. Not
 * what hangs, because waiting for that again takes long.
 */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return (
    (status !== undefined && (status >= 500 || status === 429)) ||
    refusedNames.includes(error.name) ||
    /LimitExceeded|TooManyRequests|Rate exceeded/.test(`${error.name} ${error.message}`)
  );
}

const permanentNames = new Set([
  'ItemCollectionSizeLimitExceededException',
  'SerializationException',
  'ValidationException',
]);
const permanentReasons = new Set(['ItemCollectionSizeLimitExceeded', 'ValidationError']);

/** Whether DynamoDB can never accept the request: it is too large, or has text or numbers that an item cannot hold. */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).some(({ Code = '' }) => permanentReasons.has(Code));
  return permanentNames.has(error.name);
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TransactionCanceledException)
    return (error.CancellationReasons ?? []).every(({ Code }) =>
      transientReasons.has(Code ?? 'None'),
    );
  const { code, $metadata, $response } = error as {
    code?: string;
    $metadata?: { httpStatusCode?: number };
    $response?: { statusCode?: number };
  };
  const status = $metadata?.httpStatusCode ?? $response?.statusCode ?? 0;
  return (
    transientNames.has(error.name) ||
    status >= 500 ||
    (code !== undefined && brokenConnection.has(code)) ||
    // A truncated or foreign response does not parse; whether the call took effect is unknown, as after a connection
    // reset.
    error instanceof SyntaxError
  );
}

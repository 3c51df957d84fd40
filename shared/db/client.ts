import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type ServiceOutputTypes } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../model/errors.ts';
import { currentRequest } from './request-context.ts';

const client = new DynamoDBClient({
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: 300,
    requestTimeout: 500,
    // Without this the SDK only warns, and a call that hangs hangs for ever.
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: 128 },
    httpsAgent: { keepAlive: true, maxSockets: 128 },
  },
});
// It walks through every item read, for a log line that nobody asked for: a sixth of a long page's processor time.
client.middlewareStack.remove('loggerMiddleware');

/** The one client of an instance. It never retries by itself: `send` alone knows what may be repeated. */
export const dynamodb = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
});

type Sender = <Out extends ServiceOutputTypes>(
  command: unknown,
  options: { abortSignal: AbortSignal },
) => Promise<Out>;

const maxRetries = 8;

/**
 * Sends a command and repeats it after transient failures until the request's deadline: throttles, conflicts,
 * 5xx, time-outs and broken connections, with full jitter from 20 ms up to 400 ms. A repeated transaction carries
 * the ClientRequestToken of its command, so it takes effect once. Throws `temporarily_unavailable` when out of
 * time, and the SDK's exception for everything that a repeat cannot change. With `repeatConflicts: false` a
 * transaction that meets another one is not repeated, so that the caller reads again first; unless an earlier try may
 * have taken effect: the caller would take its own work for somebody else's. `onOutcomeUnknown` is called after each try
 * that may have taken effect although its answer was lost.
 */
export async function send<Out extends ServiceOutputTypes>(
  command: unknown,
  {
    repeatConflicts = true,
    onOutcomeUnknown,
  }: { repeatConflicts?: boolean; onOutcomeUnknown?: () => void } = {},
): Promise<Out> {
  const { deadline, signal } = currentRequest();
  if (Date.now() >= deadline) throw serviceUnavailable(new Error('There was no time left.'));
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
      await pause(attempt, deadline, signal, error);
    }
  }
}

/** Waits before the next try of something that failed `attempt` times before; throws when there is no time left. */
export async function pause(
  attempt: number,
  deadline: number,
  signal: AbortSignal,
  cause: unknown,
): Promise<void> {
  const wait = Math.random() * Math.min(400, 20 * 2 ** attempt);
  if (attempt >= maxRetries || Date.now() + wait >= deadline) throw serviceUnavailable(cause);
  await sleep(wait, undefined, { signal }).catch(() => {
    throw serviceUnavailable(cause);
  });
}

/** Whether the request has so many milliseconds left. */
export const hasTime = (milliseconds: number): boolean =>
  Date.now() + milliseconds <= currentRequest().deadline;

/** Nobody knows whether it was done; whoever asks again will see. */
export function serviceUnavailable(cause: unknown): ApiError {
  return new ApiError('temporarily_unavailable', { retryAfter: 1, cause });
}

/** By these DynamoDB says that it has done nothing. */
const refusedNames = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'Throttling',
  'TransactionConflictException',
];
const transientNames = new Set([
  ...refusedNames,
  'InternalServerError',
  'RequestTimeout',
  'ServiceUnavailable',
  'TimeoutError',
  'TransactionInProgressException',
]);
const transientReasons = new Set([
  'None',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);
const notConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
const brokenConnection = new Set([...notConnected, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Whether a try that failed so has certainly not taken effect. */
const isKnownNotDone = (error: unknown): boolean =>
  error instanceof TransactionCanceledException ||
  refusedNames.includes((error as Error).name) ||
  notConnected.includes((error as { code?: string }).code ?? '');

/** Whether another transaction was at work on the same items. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')
  );
}

const permanentNames = new Set([
  'ItemCollectionSizeLimitExceededException',
  'SerializationException',
  'ValidationException',
]);
const permanentReasons = new Set(['ItemCollectionSizeLimitExceeded', 'ValidationError']);

/** Whether DynamoDB can never take what it was asked: too large, or no text or number that an item can hold. */
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
    // A truncated or foreign answer does not parse; whether the call took effect is unknown, as after a reset.
    error instanceof SyntaxError
  );
}

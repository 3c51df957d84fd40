import { singleWrites } from '../support/call-names.ts';
import {
  type Call,
  cancelled,
  exception,
  type Fault,
  failsAfter,
  halfAnswer,
  hangsAfter,
  hangsBefore,
  lateAnswer,
  lateCall,
  onlyTheFirst,
  pageOfProxy,
  resetAfter,
  resetBefore,
  truncatedAnswer,
} from './fault.ts';

/** A fault that DynamoDB, or the network before it, can cause for a call. */
export type NamedFault = {
  name: string;
  /** Faults of one kind leave the same state and require the same reaction. */
  kind: string;
  /** Whether it can happen to this call. */
  fits: (call: Call) => boolean;
  /** Whether the engine has executed the call, fully or in part, although the caller does not learn it. */
  done: boolean | 'in part';
  /** Whether the caller notices it only by its own timeout. */
  slow: boolean;
  fault: Fault;
};

const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan'];
const batches = ['BatchGetItem', 'BatchWriteItem'];
const transactions = ['TransactWriteItems'];
const writes = [...singleWrites, 'BatchWriteItem', ...transactions];
/** The operations of the service. */
const own = [...reads, ...writes];
/** The operations that read the stream; on AWS Lambda calls them. */
const streams = ['DescribeStream', 'GetShardIterator', 'GetRecords'];
const all = [...own, ...streams];

/** The number of writes in a transaction, or of keys or writes in a batch. */
function sizeOf({ body }: Call): number {
  const { TransactItems, RequestItems = {} } = body as {
    TransactItems?: unknown[];
    RequestItems?: Record<string, unknown[] | { Keys: unknown[] }>;
  };
  if (TransactItems) return TransactItems.length;
  const parts = Object.values(RequestItems);
  return parts.reduce((sum, part) => sum + (Array.isArray(part) ? part : part.Keys).length, 0);
}

/** Only the last write of the transaction has this cancellation reason. */
const cancelledBy =
  (code: string): Fault =>
  async (exchange) => {
    const none = Array.from({ length: sizeOf(exchange) - 1 }, () => 'None');
    return cancelled(...none, code)(exchange);
  };

const entry = (
  name: string,
  kind: string,
  operations: readonly string[],
  fault: Fault,
  more: Partial<Pick<NamedFault, 'done' | 'slow' | 'fits'>> = {},
): NamedFault => ({
  name,
  kind,
  fits: ({ operation }) => operations.includes(operation),
  done: false,
  slow: false,
  fault,
  ...more,
});

/** Partially unprocessed batches need two entries: a fully unprocessed batch is a throttle, which is another fault. */
const severalOf = (call: Call) => batches.includes(call.operation) && sizeOf(call) > 1;

/**
 * Everything that can fail between the service's client and DynamoDB, by name. All are retryable: a permanent error
 * follows from the request and is not a fault.
 */
export const catalogue: readonly NamedFault[] = [
  ...['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'].map(
    (name) => entry(name, 'throttle', own, exception(name)),
  ),
  entry(
    'cancelled: TransactionConflict',
    'conflict',
    transactions,
    cancelledBy('TransactionConflict'),
  ),
  ...['ThrottlingError', 'ProvisionedThroughputExceeded'].map((reason) =>
    entry(`cancelled: ${reason}`, 'cancelled', transactions, cancelledBy(reason)),
  ),
  entry(
    'TransactionInProgressException',
    'cancelled',
    transactions,
    exception('TransactionInProgressException'),
  ),
  entry(
    'TransactionConflictException',
    'conflict',
    singleWrites,
    exception('TransactionConflictException'),
  ),
  entry('500', 'error', all, exception('InternalServerError', 500)),
  entry('503', 'error', all, exception('ServiceUnavailable', 503)),
  entry('502 in HTML', 'error', all, pageOfProxy),
  entry('reset before', 'reset before', all, resetBefore),
  entry('500 after it was done', 'lost answer', all, failsAfter, { done: true }),
  entry('truncated answer', 'lost answer', all, truncatedAnswer, { done: true }),
  entry('half an answer', 'lost answer', all, halfAnswer, { done: true }),
  entry('reset after', 'reset after', all, resetAfter, { done: true }),
  entry('hang before', 'hang before', all, hangsBefore, { slow: true }),
  entry('hang after', 'hang after', all, hangsAfter, { slow: true, done: true }),
  entry('late answer', 'hang after', all, lateAnswer, { slow: true, done: true }),
  entry('late call', 'late call', writes, lateCall, { slow: true, done: true }),
  entry('partial batch', 'partial batch', batches, onlyTheFirst(1), {
    fits: severalOf,
    done: 'in part',
  }),
];

/** The state after a kind of fault of a write, for kinds that leave the same state. */
const leftOfWrite: Record<string, string> = {
  throttle: 'not done',
  cancelled: 'not done',
  error: 'not done',
  'reset before': 'not done',
  'lost answer': 'done',
  'reset after': 'done',
};

/**
 * The state that a fault leaves to the caller, which each endpoint must handle. How the caller notices it concerns only
 * the database layer, which is tested with each fault in test/shared/db/client.test.ts. Reads are always retried.
 */
function leftBy(kind: string, call: Call): string {
  if (isRead(call)) return kind === 'partial batch' ? kind : 'nothing is read';
  return leftOfWrite[kind] ?? kind;
}

/** One fault for each state that a fault can leave to the caller; the choice varies by `place`. */
export function oneOfEachKind(call: Call, place: string): NamedFault[] {
  const fitting = Map.groupBy(
    catalogue.filter(({ fits }) => fits(call)),
    ({ kind }) => leftBy(kind, call),
  );
  let sum = 0;
  for (const letter of place) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return [...fitting.values()].flatMap((alike) => alike[sum % alike.length] ?? []);
}

/** Whether a call changes nothing. */
export const isRead = ({ operation }: Call): boolean => reads.includes(operation);

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

/** A fault that DynamoDB, or the network before it, can do to a call. */
export type NamedFault = {
  name: string;
  /** Which others are much alike: the same happened, and the service is to do the same. */
  kind: string;
  /** Whether it can happen to this call at all. */
  fits: (call: Call) => boolean;
  /** Whether the engine has done the call, in whole or in part, where the caller learns nothing or not all of it. */
  done: boolean | 'in part';
  /** Whether the caller learns of it by its own time-out only. */
  slow: boolean;
  fault: Fault;
};

const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan'];
const singleWrites = ['PutItem', 'UpdateItem', 'DeleteItem'];
const batches = ['BatchGetItem', 'BatchWriteItem'];
const transactions = ['TransactWriteItems'];
const writes = [...singleWrites, 'BatchWriteItem', ...transactions];
/** What the service asks of the table. */
const own = [...reads, ...writes];
/** The calls by which the stream is followed; on AWS it is Lambda that makes them. */
const streams = ['DescribeStream', 'GetShardIterator', 'GetRecords'];
const all = [...own, ...streams];

/** How many writes a transaction holds, or keys and writes a batch. */
function sizeOf({ body }: Call): number {
  const { TransactItems, RequestItems = {} } = body as {
    TransactItems?: unknown[];
    RequestItems?: Record<string, unknown[] | { Keys: unknown[] }>;
  };
  if (TransactItems) return TransactItems.length;
  const parts = Object.values(RequestItems);
  return parts.reduce((sum, part) => sum + (Array.isArray(part) ? part : part.Keys).length, 0);
}

/** One write of the transaction, the last, met it; the others have no reason of their own. */
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

/** A batch that comes back whole as unprocessed is a throttle, which has its own fault: one of two or more is cut. */
const severalOf = (call: Call) => batches.includes(call.operation) && sizeOf(call) > 1;

/**
 * Everything that goes wrong between the service's client and DynamoDB, by name. Retryable all of them: what DynamoDB
 * refuses for good follows from what it is asked, and is no fault.
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

/** What a kind of fault of a write leaves, where several leave the same. */
const leftOfWrite: Record<string, string> = {
  throttle: 'not done',
  cancelled: 'not done',
  error: 'not done',
  'reset before': 'not done',
  'lost answer': 'done',
  'reset after': 'done',
};

/**
 * What a fault leaves to the caller of a call: a question that each endpoint answers by itself. How the caller came to
 * know is left to the table layer, which is tested with each fault: test/shared/db/client.test.ts. A read changes
 * nothing and is sent again, whatever happened to it.
 */
function leftBy(kind: string, call: Call): string {
  if (isRead(call)) return kind === 'partial batch' ? kind : 'nothing is read';
  return leftOfWrite[kind] ?? kind;
}

/** For what each fault leaves to the caller of a call, one that does; which one differs from one `place` to another. */
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

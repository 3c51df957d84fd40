import { setTimeout as sleep } from 'node:timers/promises';
import { singleWrites } from '../support/call-names.ts';
import { type Answered, asException, type Call } from './fault.ts';

type Attributes = Record<string, { S?: string }>;
type Part = { Key?: Attributes; Item?: Attributes };
type Write = { keys: string[]; transaction: boolean; token?: string | undefined };

/**
 * The writes in flight. If two overlap and one is a transaction, DynamoDB rejects the later one: a transaction with
 * TransactionConflict for exactly the overlapping items, a single write with TransactionConflictException. Two single
 * writes are serialised. (Amazon DynamoDB Developer Guide, "Transaction conflict handling".)
 */
export class InFlight {
  private readonly writes = new Set<Write>();

  /** Executes a call unless it conflicts, and keeps it in flight for `hold` more milliseconds. */
  async run(
    call: Call,
    work: () => Promise<Answered>,
    hold: number,
  ): Promise<Answered & { conflict?: true }> {
    const write = writeOf(call);
    if (!write) return work();
    const refused = this.refusal(write);
    if (refused) return { ...refused, conflict: true };
    this.writes.add(write);
    try {
      const answered = await work();
      if (hold > 0) await sleep(hold);
      return answered;
    } finally {
      // Before the response is sent: its recipient may write again at once.
      this.writes.delete(write);
    }
  }

  private refusal(write: Write): Answered | undefined {
    const taken = new Set<string>();
    for (const other of this.writes) {
      if (write.token !== undefined && other.token === write.token)
        return asException('TransactionInProgressException');
      if (write.transaction || other.transaction) for (const key of other.keys) taken.add(key);
    }
    if (!write.keys.some((key) => taken.has(key))) return undefined;
    if (!write.transaction) return asException('TransactionConflictException');
    return asException('TransactionCanceledException', 400, {
      CancellationReasons: write.keys.map((key) => ({
        Code: taken.has(key) ? 'TransactionConflict' : 'None',
      })),
    });
  }
}

/**
 * The items that a call writes. Batches are excluded: conflicting entries come back unprocessed, which is another
 * fault.
 */
function writeOf({ operation, body }: Call): Write | undefined {
  if (singleWrites.includes(operation)) return { keys: [keyOf(body)], transaction: false };
  if (operation !== 'TransactWriteItems') return undefined;
  const items = body['TransactItems'] as Record<string, Part>[];
  return {
    keys: items.map((item) => keyOf(Object.values(item)[0] ?? {})),
    transaction: true,
    token: body['ClientRequestToken'] as string | undefined,
  };
}

const keyOf = ({ Key, Item }: Part): string => {
  const { pk, sk } = Key ?? Item ?? {};
  return JSON.stringify([pk?.S, sk?.S]);
};

import { getItem } from '../db/batch-loader.ts';
import { ConditionFailed, update, type Write, where } from '../db/change.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import type { Key } from '../db/schema.ts';
import { createItem, ifConditionHolds, removeItem } from '../db/transaction.ts';
import { lifetimes } from '../model/limits.ts';

/**
 * A request that carries an Idempotency-Key. First it is claimed, so that only one is at work; its answer comes in the
 * transaction of its effect, so that there is either both or none.
 */
export type IdempotencyItem = Item & {
  /** Names the claim: whoever claims after it was left behind takes it away. */
  write_id: string;
  fingerprint: string;
  /** Epoch milliseconds after which a claim without an answer is left behind. */
  claimed_until: number;
  /** The answer, sealed with the key that only the client has. */
  answer?: Uint8Array;
  /** The request ended the session that it came with: who asks again cannot have it any more. */
  ended_session?: true;
  /** Epoch seconds. */
  expires_at: number;
};

/** What a claim outlives the request's deadline by: the last write may be under way then. */
const afterDeadline = 1_500;

const claimEnd = (now: Date): number =>
  Math.max(
    now.getTime() + lifetimes.idempotencyClaim * 1_000,
    currentRequest().deadline + afterDeadline,
  );

/** Claims a request. Throws `ConditionFailed` with its record, under `item`, where it is at work or answered. */
export async function claim(key: Key, fingerprint: string, now: Date): Promise<IdempotencyItem> {
  const item = {
    ...key,
    fingerprint,
    claimed_until: claimEnd(now),
    expires_at: epochSeconds(now) + lifetimes.idempotencyRecord,
  };
  // DynamoDB deletes late what has expired.
  const free = where(
    'attribute_not_exists(#pk) OR #expires_at <= :now' +
      ' OR (attribute_not_exists(#answer) AND #claimed_until <= :now_ms)',
    { now: epochSeconds(now), now_ms: now.getTime() },
  );
  return (await createItem(item, free)) as IdempotencyItem;
}

/** The record of a request, if it is answered. */
export async function getAnswered(key: Key, now: Date): Promise<IdempotencyItem | undefined> {
  const item = await getItem<IdempotencyItem>(key);
  return item?.answer !== undefined && item.expires_at > epochSeconds(now) ? item : undefined;
}

const isOurs = ({ write_id }: IdempotencyItem) =>
  where('#write_id = :claim AND attribute_not_exists(#answer)', { claim: write_id });

/** Answers a request that is claimed, and held by nobody else by now. */
export const answering = (
  claimed: IdempotencyItem,
  answer: Pick<IdempotencyItem, 'answer' | 'ended_session'>,
): Write => update({ pk: claimed.pk, sk: claimed.sk }, { set: answer }, isOurs(claimed));

/** Gives a claim back: the request was refused. Where that fails, the claim is left behind after a moment. */
export async function release(claimed: IdempotencyItem): Promise<void> {
  const { pk, sk } = claimed;
  await ifConditionHolds(removeItem({ pk, sk }, isOurs(claimed)));
}

/** The record that a claim met. */
export function recordOf(error: unknown): IdempotencyItem {
  if (!(error instanceof ConditionFailed)) throw error;
  const { item } = error.failed as { item?: IdempotencyItem | null };
  if (!item) throw error;
  return item;
}

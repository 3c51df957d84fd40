import { getItem } from '../db/batch-loader.ts';
import { ConditionFailed, update, type Write } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { epochSeconds, type Item } from '../db/item.ts';
import type { Key } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { createItem, ifConditionHolds, removeItem } from '../db/transaction.ts';
import { lifetimes } from '../model/limits.ts';

/**
 * The record of a request with an Idempotency-Key. The request first claims it, so that only one copy runs; the
 * response is written in the transaction of its change, so that either both exist or neither.
 */
export type IdempotencyItem = Item & {
  /** Identifies the claim; a request that takes over an abandoned claim overwrites it. */
  write_id: string;
  fingerprint: string;
  /** Epoch milliseconds after which a claim without a response counts as abandoned. */
  claimed_until: number;
  /** The response, encrypted with the key that only the client has. */
  answer?: Uint8Array;
  /** The request ended its own session, so a retry has no live session any more. */
  ended_session?: true;
  /** Epoch seconds. */
  expires_at: number;
};

/** Milliseconds by which a claim outlives the request's deadline, because the last write may still be in flight. */
const afterDeadline = 1_500;

const claimEnd = (now: Date): number =>
  Math.max(
    now.getTime() + lifetimes.idempotencyClaim * 1_000,
    currentRequest().deadline + afterDeadline,
  );

/**
 * Claims a request. Throws `ConditionFailed` with the existing record under `item` if the request is in progress or
 * answered.
 */
export async function claim(key: Key, fingerprint: string, now: Date): Promise<IdempotencyItem> {
  const item = {
    ...key,
    fingerprint,
    claimed_until: claimEnd(now),
    expires_at: epochSeconds(now) + lifetimes.idempotencyRecord,
  };
  // DynamoDB deletes expired items late.
  const free = where(
    'attribute_not_exists(#pk) OR #expires_at <= :now' +
      ' OR (attribute_not_exists(#answer) AND #claimed_until <= :now_ms)',
    { now: epochSeconds(now), now_ms: now.getTime() },
  );
  return (await createItem(item, free)) as IdempotencyItem;
}

/** The record of a request that has been answered. */
export async function getAnswered(key: Key, now: Date): Promise<IdempotencyItem | undefined> {
  const item = await getItem<IdempotencyItem>(key);
  return item?.answer !== undefined && item.expires_at > epochSeconds(now) ? item : undefined;
}

const isOurs = ({ write_id }: IdempotencyItem) =>
  where('#write_id = :claim AND attribute_not_exists(#answer)', { claim: write_id });

/** Writes the response, if the claim is still ours. */
export const answering = (
  claimed: IdempotencyItem,
  answer: Pick<IdempotencyItem, 'answer' | 'ended_session'>,
): Write => update({ pk: claimed.pk, sk: claimed.sk }, { set: answer }, isOurs(claimed));

/** Releases a claim after a failed request. If the release fails, the claim expires after a few seconds. */
export async function release(claimed: IdempotencyItem): Promise<void> {
  const { pk, sk } = claimed;
  await ifConditionHolds(removeItem({ pk, sk }, isOurs(claimed)));
}

/** The existing record that made a claim fail. */
export function recordOf(error: unknown): IdempotencyItem {
  if (!(error instanceof ConditionFailed)) throw error;
  const { item } = error.failed as { item?: IdempotencyItem | null };
  if (!item) throw error;
  return item;
}

import { where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import type { Key } from '../db/keys.ts';
import { ifConditionHolds, updateItem } from '../db/transaction.ts';

/** How an instance counts the requests of a window of the clock. */
export type Leasing = {
  /** Length of a window. */
  seconds: number;
  /** Requests that it lets in before it counts any. */
  free: number;
  /** How many it counts with its next write, after so many. */
  next: (leased: number, max: number) => number;
  /** When less is left than one lease: true counts each request, false refuses requests until the window ends. */
  toTheEnd: boolean;
};

/** What a limit is of: where it is counted, and how many requests a window has. */
export type Limited = { subject: string; keyOf: (window: number) => Key; max: number };

/** One instance's share of a limit, in one window. */
type Share = { leased: number; used: number; full: boolean; leasing?: Promise<void> | undefined };

/**
 * Creates a rate limiter of one instance. It counts several requests with one write, before they come; once the limit
 * is used up it refuses requests until the window ends without another write. The function admits one more request, or
 * returns the seconds until the next window.
 */
export function newLeasedLimit({ seconds, free, next, toTheEnd }: Leasing) {
  let lastWindow = 0;
  let shares = new Map<string, Share>();

  return async (limited: Limited, now: Date): Promise<number | undefined> => {
    const window = Math.floor(now.getTime() / 1_000 / seconds);
    if (window !== lastWindow) {
      lastWindow = window;
      shares = new Map();
    }
    const share: Share = shares.get(limited.subject) ?? { leased: free, used: 0, full: false };
    shares.set(limited.subject, share);
    while (!share.full && share.used >= share.leased) {
      share.leasing ??= lease(share, limited, window).finally(() => (share.leasing = undefined));
      await share.leasing;
    }
    if (share.used >= share.leased) return Math.max(1, (window + 1) * seconds - epochSeconds(now));
    share.used += 1;
    return undefined;
  };

  /** Counts further requests for an instance, or records that the limit is used up. */
  async function lease(share: Share, limited: Limited, window: number): Promise<void> {
    const more = next(share.leased, limited.max);
    const counted = await count(limited, window, more);
    if (counted) share.leased += more;
    else if (toTheEnd && more > 1 && (await count(limited, window, 1))) share.leased += 1;
    else share.full = true;
  }

  async function count({ keyOf, max }: Limited, window: number, more: number): Promise<boolean> {
    return ifConditionHolds(
      updateItem(
        keyOf(window),
        { increment: { count: more }, set: { expires_at: (window + 2) * seconds } },
        where('attribute_not_exists(#pk) OR #count <= :room', { room: max - more }),
      ),
    );
  }
}

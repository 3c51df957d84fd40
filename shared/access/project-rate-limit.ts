import { ConditionFailed } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { epochSeconds } from '../db/item.ts';
import { keys } from '../db/schema.ts';
import { updateItem } from '../db/transaction.ts';
import { ApiError } from '../model/errors.ts';
import { rates } from '../model/limits.ts';

/** One instance's share of a project's limit for one public route, in one window. */
type Share = { leased: number; used: number; full: boolean; leasing?: Promise<void> | undefined };

const { max, seconds, detail: tells } = rates.projectDoor;
/** Maximum number of requests counted with one write. */
const maxLease = 64;

/**
 * Creates the rate limiter for public routes, per project and route, so that a flood at one project's routes leaves
 * those of all others open. An instance counts several requests with one write, as many again as it has had: the first
 * request of a window costs nothing; the 2nd, 3rd, 5th, 9th, … one write each. Once the project's share is used up, the
 * instance rejects requests until the window ends without another write. So one request per window and instance is
 * never counted, and up to half of the share may be counted but not used.
 */
export function newProjectRateLimit() {
  let window = 0;
  let shares = new Map<string, Share>();

  /** Admits one more request to a route of a project, or throws `too_many_requests`. */
  return async (project_id: string, door: string, now: Date): Promise<void> => {
    const present = Math.floor(now.getTime() / 1_000 / seconds);
    if (present !== window) {
      window = present;
      shares = new Map();
    }
    const subject = `${project_id} ${door}`;
    const share: Share = shares.get(subject) ?? { leased: 1, used: 0, full: false };
    shares.set(subject, share);
    while (!share.full && share.used >= share.leased) {
      share.leasing ??= lease(share, subject, present).finally(() => (share.leasing = undefined));
      await share.leasing;
    }
    if (share.full) {
      const retryAfter = Math.max(1, (present + 1) * seconds - epochSeconds(now));
      throw new ApiError('too_many_requests', { retryAfter, detail: tells });
    }
    share.used += 1;
  };
}

/** Reserves further requests for an instance, or records that the project's share is used up. */
async function lease(share: Share, subject: string, window: number): Promise<void> {
  const more = Math.min(share.leased, maxLease);
  try {
    await updateItem(
      keys.rate('projectDoor', subject, window),
      { increment: { count: more }, set: { expires_at: (window + 2) * seconds } },
      where('attribute_not_exists(#pk) OR #count <= :room', { room: max - more }),
    );
    share.leased += more;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    share.full = true;
  }
}

/** The rate limiter of this instance. */
export const countProjectRequest = newProjectRateLimit();

import { Failure } from '../errors.ts';
import { type Rate, rates } from '../limits.ts';
import { currentRequest } from '../request.ts';
import { keys } from './shape.ts';
import { ConditionFailed, ifConditionHolds, updateItem, where } from './write.ts';

/**
 * Counts one more of something by a subject, exactly, however many come at once. Throws `too_many_requests` with the
 * time until the window ends. Whoever counts first what may then turn out well gives it back by `giveBack`.
 */
export async function take(rate: Rate, subject: string, now: Date): Promise<void> {
  const { max, seconds } = rates[rate];
  const { key, ends } = windowOf(rate, subject, now);
  const counted = updateItem(
    key,
    { count: { count: 1 }, set: { expires_at: ends + seconds } },
    where('attribute_not_exists(#pk) OR #count < :max', { max }),
  );
  // What fails beside it must not answer before it is counted.
  currentRequest().after.push(counted);
  try {
    await counted;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const retryAfter = Math.max(1, ends - Math.floor(now.getTime() / 1_000));
    throw new Failure('too_many_requests', { retryAfter });
  }
}

/**
 * Takes one back that was counted by `take` in the same request, beside whatever that does next. Where it fails, one
 * too many stays counted.
 */
export function giveBack(rate: Rate, subject: string, now: Date): void {
  const { key } = windowOf(rate, subject, now);
  const given = updateItem(key, { add: { count: -1 } }, where('#count > :none', { none: 0 }));
  currentRequest().after.push(ifConditionHolds(given).catch(() => {}));
}

function windowOf(rate: Rate, subject: string, now: Date) {
  const { seconds } = rates[rate];
  const window = Math.floor(now.getTime() / 1_000 / seconds);
  return { key: keys.rate(rate, subject, window), ends: (window + 1) * seconds };
}

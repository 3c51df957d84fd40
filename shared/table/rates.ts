import { Failure } from '../errors.ts';
import { type Rate, rates } from '../limits.ts';
import { currentRequest, type RequestContext } from '../request.ts';
import { keys } from './shape.ts';
import { ConditionFailed, ifConditionHolds, updateItem, where } from './write.ts';

/** What each request has counted: one that runs again, because what it read was out of date, is still one. */
const taken = new WeakMap<RequestContext, Map<string, Promise<unknown>>>();

/** What a request has counted, and whether it has given it back: one that runs again is still one. */
const counted = new WeakMap<RequestContext, Map<string, 'taken' | 'given back'>>();

/**
 * Counts one more of something by a subject, exactly, however many come at once. Throws `too_many_requests` with the
 * time until the window ends. Whoever counts first what may then turn out well gives it back by `giveBack`.
 */
export async function take(rate: Rate, subject: string, now: Date): Promise<void> {
  const { max, seconds } = rates[rate];
  const { key, ends } = windowOf(rate, subject, now);
  const ours = countsOfRequest();
  if (ours.has(key.pk)) return;
  const counting = updateItem(
    key,
    { count: { count: 1 }, set: { expires_at: ends + seconds } },
    where('attribute_not_exists(#pk) OR #count < :max', { max }),
  );
  // What fails beside it must not answer before it is counted.
  currentRequest().after.push(counting);
  try {
    await counting;
    ours.set(key.pk, 'taken');
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
  const ours = countsOfRequest();
  if (ours.get(key.pk) !== 'taken') return;
  ours.set(key.pk, 'given back');
  const giving = updateItem(key, { add: { count: -1 } }, where('#count > :none', { none: 0 }));
  currentRequest().after.push(ifConditionHolds(giving).catch(() => {}));
}

function countsOfRequest(): Map<string, 'taken' | 'given back'> {
  const request = currentRequest();
  const known = counted.get(request);
  if (known) return known;
  const ours = new Map<string, 'taken' | 'given back'>();
  counted.set(request, ours);
  return ours;
}

function windowOf(rate: Rate, subject: string, now: Date) {
  const { seconds } = rates[rate];
  const window = Math.floor(now.getTime() / 1_000 / seconds);
  return { key: keys.rate(rate, subject, window), ends: (window + 1) * seconds };
}

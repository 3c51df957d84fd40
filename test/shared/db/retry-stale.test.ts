import { expect, test } from 'vitest';
import { StaleReadError } from '#shared/db/request-context.ts';
import { retryWhileStale } from '#shared/db/retry-stale.ts';
import { failureOf, request } from '../../support/request.ts';

/** Work that is stale this many times, with the number of runs and of announced reruns. */
function workStale(times: number, otherwise: () => string = () => 'done') {
  const seen = { runs: 0, reruns: 0 };
  const run = () =>
    retryWhileStale(
      async () => {
        seen.runs += 1;
        if (seen.runs <= times) throw new StaleReadError();
        return otherwise();
      },
      () => {
        seen.reruns += 1;
      },
    );
  return { seen, run };
}

test('work runs again while its reads are stale, and each rerun is announced', async () => {
  const { seen, run } = workStale(7);
  expect(await request(run)).toBe('done');
  expect(seen).toEqual({ runs: 8, reruns: 7 });
});

test('work that is not stale runs once, and any other error is thrown', async () => {
  const fine = workStale(0);
  expect(await request(fine.run)).toBe('done');
  expect(fine.seen).toEqual({ runs: 1, reruns: 0 });
  const broken = workStale(0, () => {
    throw new TypeError('broken');
  });
  expect(await failureOf(request(broken.run))).toBeInstanceOf(TypeError);
  expect(broken.seen).toEqual({ runs: 1, reruns: 0 });
});

test('work that stays stale ends as temporarily unavailable at the deadline', async () => {
  const { seen, run } = workStale(Infinity);
  const failure = await failureOf(request(run, 300));
  expect(failure).toBe('temporarily_unavailable');
  expect(seen.runs).toBe(seen.reruns + 1);
});

/** @module-tag engine */
import { expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { keys } from '#shared/db/keys.ts';
import { dayOf } from '#shared/stats/days.ts';
import { recordFailure, recordLockout } from '#shared/stats/failures.ts';
import { partOf } from '#shared/stats/parts.ts';
import { exception, type Fault, lostAnswers, lostCalls } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const method = 'idpw';

/** Counts a failure, and a lockout of the same subject. */
const count = (subject: string) =>
  request(({ now }) => {
    recordFailure({ project_id: subject, method, subject }, now);
    recordLockout(subject, subject, now);
  });

test.each<[string, Fault, number]>([
  ['a throttle', exception('ProvisionedThroughputExceededException'), 1],
  ['a refusal', exception('AccessDeniedException'), 1],
  ...Object.entries(lostCalls).map(([name, fault]): [string, Fault, number] => [name, fault, 1]),
  ...Object.entries(lostAnswers).map(([name, fault]): [string, Fault, number] => [name, fault, 2]),
])('%s fails no request, is not retried, and counts nothing twice', async (subject, fault, sum) => {
  const started = performance.now();
  faults.inject(fault);
  await count(subject);
  expect(faults.calls).toHaveLength(2);
  expect(performance.now() - started).toBeLessThan(1_500);
  const stored = await request(({ now }) =>
    getItem(keys.statsFailures(subject, dayOf(now.toISOString()), partOf(subject))),
  );
  const { failures_idpw = 0, lockouts = 0 } = (stored ?? {}) as Record<string, number>;
  expect(failures_idpw + lockouts).toBe(sum);
});

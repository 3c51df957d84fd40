/** @module-tag engine */
import { expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { keys } from '#shared/db/keys.ts';
import { ApiError } from '#shared/model/errors.ts';
import { dayOf } from '#shared/stats/days.ts';
import { recordFailure, recordingFailure, recordLockout } from '#shared/stats/failures.ts';
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

const stored = async (subject: string) =>
  ((await request(({ now }) =>
    getItem(keys.statsFailures(subject, dayOf(now.toISOString()), partOf(subject))),
  )) ?? {}) as Partial<Record<string, number>>;

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
  const { failures_idpw = 0, lockouts = 0 } = await stored(subject);
  expect(failures_idpw + lockouts).toBe(sum);
});

test.each<[string, number, Error]>([
  ['a wrong password', 1, new ApiError('invalid_credentials', { reason: 'wrong' })],
  [
    'a token of a provider that is not valid',
    1,
    new ApiError('identity_token_invalid', { reason: 'wrong' }),
  ],
  [
    'a provider that does not answer',
    0,
    new ApiError('temporarily_unavailable', { retryAfter: 1 }),
  ],
  ['a bug', 0, new Error('bug')],
])(
  'a sign-in that fails by %s keeps its error; failures counted: %i',
  async (subject, sum, error) => {
    const signIn = () => Promise.reject(error);
    const attempt = { project_id: subject, method, subject };
    const signedIn = request(({ now }) => recordingFailure(attempt, now, signIn));
    await expect(signedIn).rejects.toBe(error);
    const { failures_idpw = 0, expires_at } = await stored(subject);
    expect(failures_idpw).toBe(sum);
    // The statistics of a year, and not forever.
    const days = ((expires_at ?? 0) - Date.now() / 1_000) / 86_400;
    if (sum > 0) expect([days > 365, days < 800]).toEqual([true, true]);
  },
);

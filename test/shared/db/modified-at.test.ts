/** @module-tag engine */
import { beforeEach, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { commit } from '#shared/db/commit.ts';
import { and, type Condition, where } from '#shared/db/condition.ts';
import { modifiedAt, updateMonotonic } from '#shared/db/modified-at.ts';
import { ApiError, notFound } from '#shared/model/errors.ts';
import {
  answeredAfter,
  exception,
  type Fault,
  lostAnswers,
  lostCalls,
  resetAfter,
} from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const key = { pk: 'P#1', sk: 'S' };
const now = new Date('2026-11-21T08:00:00.000Z');
const live = where('attribute_exists(#pk) AND attribute_not_exists(#deleted_at)');
const modify = (of: typeof key, condition: Condition) =>
  updateMonotonic(
    { key: of, changes: { set: { name: 'b' } }, condition },
    now,
    () => getItem(of),
    () => notFound('of this test'),
  );
const rename = (condition = live, of = key) =>
  request(() => commit(modify(of, condition)).catch((error: unknown) => error));
const ofRed = and(live, where('#project_id = :project_id', { project_id: 'red' }));

beforeEach(async () => {
  const modified_at = '2026-11-21T07:00:00.000Z';
  await faults.seed([{ ...key, project_id: 'red', name: 'a', modified_at }]);
});

const deletedMeanwhile = (fault: Fault): Fault => {
  const deleted = { ...key, project_id: 'red', name: 'b', deleted_at: now.toISOString() };
  return async (exchange) => {
    const forward = async (body: unknown) => {
      const answered = await exchange.forward(body);
      await faults.seed([deleted]);
      return answered;
    };
    await fault({ ...exchange, forward });
  };
};

test.each(Object.entries(lostAnswers))(
  '%s, and another deletes the item before the retry: it is temporarily unavailable, not refused',
  async (_, fault) => {
    for (const condition of [live, ofRed]) {
      faults.inject(deletedMeanwhile(fault));
      const ended = await rename(condition);
      expect(ended).toBeInstanceOf(ApiError);
      expect(ended).toMatchObject({ code: 'temporarily_unavailable', retryAfter: 1 });
      await faults.seed([{ ...key, project_id: 'red' }]);
    }
  },
);

test('an item that is missing at the retry is temporarily unavailable', async () => {
  faults.inject(resetAfter);
  const gone = { pk: 'P#4', sk: 'S' };
  expect(await rename(live, gone)).toMatchObject({ code: 'temporarily_unavailable' });
});

test('an item that was not modified since is refused, even after a lost response', async () => {
  faults.inject(resetAfter);
  const named = and(live, where('#name = :other', { other: 'another' }));
  expect(await rename(named)).toMatchObject({ code: 'not_found' });
});

test('an item deleted by a clock that is behind, after our modification, is temporarily unavailable', async () => {
  faults.inject(async ({ forward, response }) => {
    await forward();
    const deleted_at = '2026-11-21T07:59:59.000Z';
    await faults.seed([{ ...key, name: 'b', modified_at: now.toISOString(), deleted_at }]);
    response.destroy();
  });
  expect(await rename()).toMatchObject({ code: 'temporarily_unavailable' });
});

test('an item that another modified after a lost response and then deleted is temporarily unavailable', async () => {
  const later = { ...key, name: 'c', modified_at: '2026-11-21T08:00:00.500Z' };
  faults.inject(async ({ forward, response }) => {
    await forward();
    await faults.seed([later]);
    response.destroy();
  });
  faults.inject(answeredAfter(() => faults.seed([{ ...later, deleted_at: later.modified_at }])));
  expect(await rename()).toMatchObject({ code: 'temporarily_unavailable' });
});

test.each([
  ['of another project', true],
  ['not there', false],
])('an item %s is refused, even after a lost call', async (_, there) => {
  const other = { pk: `P#${there ? 2 : 3}`, sk: 'S' };
  const modified_at = now.toISOString();
  if (there) await faults.seed([{ ...other, project_id: 'blue', modified_at }]);
  faults.inject(resetAfter);
  expect(await rename(ofRed, other)).toMatchObject({ code: 'not_found' });
});

test('an item deleted earlier is refused, even after a lost call: our attempt would have left a later time', async () => {
  await faults.seed([{ ...key, deleted_at: '2026-11-21T07:59:59.999Z' }]);
  faults.inject(resetAfter);
  expect(await rename()).toMatchObject({ code: 'not_found' });
});

test.each([
  ['a throttle', exception('ThrottlingException')],
  ['no fault', undefined],
])('after %s a refusal is certain', async (_, fault) => {
  await faults.seed([{ ...key, deleted_at: now.toISOString() }]);
  if (fault) faults.inject(fault);
  expect(await rename()).toMatchObject({ code: 'not_found' });
});

const losses = Object.entries({ ...lostAnswers, ...lostCalls });
test.each(losses)('%s: the item is changed', async (_, fault) => {
  faults.inject(fault);
  expect(await rename()).toMatchObject({ name: 'b', modified_at: now.toISOString() });
  expect(await request(() => getItem(key))).toMatchObject({ name: 'b' });
});

test('an item with a later modified_at keeps that time', async () => {
  const modified_at = '2026-11-21T09:00:00.000Z';
  await faults.seed([{ ...key, name: 'a', modified_at }]);
  expect(await rename()).toMatchObject({ name: 'b', modified_at });
});

test.each([
  ['2026-11-21T07:59:59.999Z', now.toISOString()],
  ['2026-11-21T08:00:00.000Z', now.toISOString()],
  ['2026-11-21T08:00:00.001Z', '2026-11-21T08:00:00.001Z'],
])('an item modified at %s gets the time %s: it never goes back', (modified_at, expected) => {
  expect(modifiedAt(now, { modified_at })).toBe(expected);
});

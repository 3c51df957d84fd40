/** @module-tag engine */
import { beforeEach, expect, test, vi } from 'vitest';
import { getSecretUse, recordSecretUse } from '#shared/access/last-use.ts';
import { keys } from '#shared/db/keys.ts';
import { exception, lostAnswers, lostCalls } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
let days = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  days += 2;
  at('08:00');
});
/** Sets the clock of the service to a time of the test's own day, or of one after it. */
function at(time: string, later = 0): void {
  vi.setSystemTime(Date.parse(`2026-11-01T${time}:00Z`) + (days + later) * 86_400_000);
}
const today = () => new Date().toISOString().slice(0, 10);

/** A request that uses secrets of the project `demo`. */
const use = (...secretIds: string[]) =>
  request(async ({ backgroundWork }) => {
    for (const id of secretIds) recordSecretUse('demo', id);
    await Promise.all(backgroundWork);
  });
const stored = (id: string) =>
  request(async () => {
    const item = await getSecretUse('demo', id);
    faults.calls.pop();
    return item;
  });
const anItem = (id: string) => ({ pk: 'SECRET_USE#demo', sk: id, day: today() });

test('the day is stored apart from the project, in one item per secret', async () => {
  await use('aa', 'bb');
  expect(await stored('aa')).toEqual(anItem('aa'));
  expect(await stored('bb')).toEqual(anItem('bb'));
  expect(await stored('cc')).toBeUndefined();
});

test('an instance writes the day once a day', async () => {
  await Promise.all(Array.from({ length: 20 }, () => use('once')));
  at('23:59');
  await use('once');
  expect(faults.operations()).toEqual(['PutItem']);
  at('00:00', 1);
  await use('once');
  expect(faults.calls).toHaveLength(2);
  expect(await stored('once')).toEqual(anItem('once'));
});

test('two secrets used in turns are written once each', async () => {
  for (let i = 0; i < 3; i += 1) await use('one', 'other');
  expect(faults.calls).toHaveLength(2);
});

test('a day that another instance has written, the same or later, stays', async () => {
  const later = { ...keys.secretUse('demo', 'elsewhere'), day: '2999-01-01' };
  await faults.seed([later]);
  for (let i = 0; i < 2; i += 1) await use('elsewhere');
  expect(await stored('elsewhere')).toEqual(later);
  expect(faults.calls).toHaveLength(1);
});

test.each([
  ['a throttle', exception('ProvisionedThroughputExceededException')],
  ['a refusal', exception('AccessDeniedException')],
  ...Object.entries(lostCalls),
  ...Object.entries(lostAnswers),
])('%s fails no request, and only the next request tries the write again', async (label, fault) => {
  const started = performance.now();
  faults.inject(fault);
  await use(label);
  expect(faults.calls).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(1_500);
  await use(label);
  await use(label);
  expect(faults.calls).toHaveLength(2);
  expect(await stored(label)).toEqual(anItem(label));
});

test('a write that does not finish does not delay the request beyond its deadline', async () => {
  faults.inject(async () => {});
  const started = performance.now();
  await request(() => recordSecretUse('demo', 'slow'), 100);
  expect(performance.now() - started).toBeLessThan(400);
});

test('an instance remembers a thousand secrets; an older one is written again', async () => {
  await use('first');
  faults.reset();
  await use('first');
  expect(faults.calls).toHaveLength(0);
  // Few at a time: a write that times out does not count as recorded.
  for (let i = 0; i < 200; i += 1)
    await use(...Array.from({ length: 5 }, (_, j) => `many-${i * 5 + j}`));
  faults.reset();
  await use('first');
  expect(faults.calls).toHaveLength(1);
});

/**
 * @module-tag engine
 * @module-tag alone
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { scheduleStoreIn } from '../../local/aws/schedule-store.ts';
import { type Schedules, startSchedules } from '../../local/aws/scheduler.ts';
import { type Engine, startEngine } from '../../local/engine/engine.ts';
import { newFolder } from '../support/folder.ts';
import { local } from '../support/local-calls.ts';
import { scheduleRequest } from '../support/schedules.ts';

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
let folder: string;
let engine: Engine;
let schedules: Schedules;
let work: (name: string) => Promise<unknown>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: at('08:00:00') });
  folder = newFolder(onTestFinished);
  work = async () => {};
  await open();
});
afterEach(() => close());

/** Starts database and schedules on the folder, like a new process. */
async function open() {
  engine = await startEngine(folder);
  schedules = await startSchedules({
    group: 'ours',
    invoke: (_, input) => work((input as { name: string }).name),
    store: scheduleStoreIn(new DynamoDBClient({ endpoint: engine.endpoint, ...local })),
  });
  await schedules.resume();
}
async function close() {
  await schedules.close();
  await engine.close();
}
async function restart() {
  await close();
  await open();
  return schedules.waiting();
}

const create = (Name: string, time: string) =>
  new SchedulerClient({ endpoint: schedules.endpoint, maxAttempts: 1, ...local }).send(
    new CreateScheduleCommand(scheduleRequest(Name, time)),
  );

test('the next process continues with waiting schedules until they have run', async () => {
  for (const name of ['done', 'failed', 'again']) await create(name, '09:00:00');
  expect(await restart()).toHaveLength(3);
  await expect(create('done', '10:00:00')).rejects.toMatchObject({ name: 'ConflictException' });
  vi.setSystemTime(at('09:00:00'));
  work = async (name) => {
    if (name === 'failed') throw new Error('no');
    if (name === 'again') await create('again', '11:00:00');
  };
  expect(await schedules.runDue()).toBe(3);
  const rest = { group: 'ours', target: 'arn:function' };
  expect(await restart()).toEqual([
    { ...rest, name: 'failed', at: at('09:01:00'), input: { name: 'failed' }, failures: 1 },
    { ...rest, name: 'again', at: at('11:00:00'), input: { name: 'again' }, failures: 0 },
  ]);
  work = async () => {};
  expect(await schedules.runDue(at('11:00:00'))).toBe(2);
  expect(await restart()).toEqual([]);
});

test('a schedule does not exist before it is stored: a concurrent create of its name is no conflict', async () => {
  await schedules.close();
  const [asked, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const put = async () => {
    asked.resolve();
    await kept.promise;
  };
  const store = { put, read: async () => [], remove: async () => {} };
  schedules = await startSchedules({ group: 'ours', invoke: async () => {}, store });
  const both = Promise.allSettled([create('x', '09:00:00'), create('x', '09:00:00')]);
  await asked.promise;
  expect(schedules.waiting()).toEqual([]);
  kept.reject(new Error('The engine has no time.'));
  const statuses = (await both).map(({ status }) => status);
  expect([statuses, schedules.waiting()]).toEqual([['rejected', 'rejected'], []]);
  for (const outcome of await both)
    expect(outcome).not.toMatchObject({ reason: { name: 'ConflictException' } });
});

test('a schedule that was running when the process ended runs again', async () => {
  await create('x', '09:00:00');
  const { promise, resolve } = Promise.withResolvers<void>();
  work = async () => {
    // The process ends here, with everything in it.
    await engine.close();
    resolve();
  };
  void schedules.runDue(at('09:00:00'));
  await promise;
  expect(await restart()).toMatchObject([{ name: 'x', failures: 0 }]);
});

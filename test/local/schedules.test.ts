import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Schedules, startSchedules } from '../../local/aws/scheduler.ts';
import { local } from '../support/local-calls.ts';
import { scheduleRequest } from '../support/schedules.ts';

let schedules: Schedules;
let invoked: unknown[];
let work: (input: unknown) => Promise<unknown>;
const errors: unknown[] = [];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T08:00:00.000Z') });
  invoked = [];
  errors.length = 0;
  work = async () => {};
  schedules = await startSchedules({
    group: 'ours',
    invoke: async (target, input) => {
      invoked.push([target, input]);
      await work(input);
    },
    onError: (error) => errors.push(error),
  });
  return () => schedules.close();
});
const client = () =>
  new SchedulerClient({ endpoint: schedules.endpoint, maxAttempts: 1, ...local });
const create = (...given: Parameters<typeof scheduleRequest>) =>
  client().send(new CreateScheduleCommand(scheduleRequest(...given)));
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const names = () => schedules.waiting().map(({ name }) => name);

describe('schedules', () => {
  test('invoke the due targets once, the earliest first, and nothing before its time', async () => {
    await create('late', '10:00:00');
    await create('early', '09:00:00');
    expect(names()).toEqual(['early', 'late']);
    expect(await schedules.runDue()).toBe(0);
    expect(await schedules.runDue(at('08:59:59'))).toBe(0);
    expect(await schedules.runDue(at('10:00:00'))).toBe(2);
    expect(invoked).toEqual([
      ['arn:function', { name: 'early' }],
      ['arn:function', { name: 'late' }],
    ]);
    expect([names(), await schedules.runDue(at('23:00:00'))]).toEqual([[], 0]);
  });

  test('run a schedule that an invocation creates, also under the same name', async () => {
    await create('x', '09:00:00');
    work = async () => {
      work = async () => {};
      await create('x', '09:00:01');
    };
    expect(await schedules.runDue(at('09:00:01'))).toBe(2);
  });

  test('refuse a name that exists', async () => {
    await create('x', '09:00:00');
    await expect(create('x', '10:00:00')).rejects.toMatchObject({ name: 'ConflictException' });
    expect(schedules.waiting()).toMatchObject([{ at: at('09:00:00') }]);
  });

  test('retry a failed invocation twice, one and two minutes later', async () => {
    await create('x', '09:00:00');
    work = () => Promise.reject(new Error('no'));
    vi.setSystemTime(at('09:00:00'));
    for (const [time, next] of [
      ['09:00:00', '09:01:00'],
      ['09:01:00', '09:03:00'],
    ] as const) {
      vi.setSystemTime(at(time));
      expect(await schedules.runDue()).toBe(1);
      expect(schedules.waiting()).toMatchObject([{ at: at(next) }]);
    }
    vi.setSystemTime(at('09:03:00'));
    expect([await schedules.runDue(), names()]).toEqual([1, []]);
    expect([invoked.length, errors.length]).toEqual([3, 3]);
  });

  test('refuse a past time, another group, and features that the service does not use', async () => {
    const refused = (...given: Parameters<typeof scheduleRequest>) =>
      expect(create(...given)).rejects.toMatchObject({
        name: expect.stringMatching(/^(?:Validation|ResourceNotFound)Exception$/),
      });
    await refused('x', '07:59:59');
    await refused('x', '09:00:00', { GroupName: 'theirs' });
    await refused('x', '09:00:00', { ScheduleExpression: 'rate(1 minute)' });
    await refused('x', '09:00:00', { State: 'DISABLED' });
    await refused('a/b', '09:00:00');
    expect(names()).toEqual([]);
  });

  test('injected faults: an error before, and a lost connection after the schedule is stored', async () => {
    schedules.failNext({ status: 429, code: 'ThrottlingException' });
    await expect(create('x', '09:00:00')).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(names()).toEqual([]);
    schedules.failNext('lose');
    await expect(create('x', '09:00:00')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(names()).toEqual(['x']);
    schedules.clear();
    expect(names()).toEqual([]);
  });
});

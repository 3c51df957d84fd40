/** @module-tag alone */
import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grants } from '../../lib/functions.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { enforceGrants, type Permissions } from '../../local/aws/permissions.ts';
import { rightsOf } from '../../local/aws/rights.ts';
import { type Schedules, startSchedules } from '../../local/aws/scheduler.ts';
import { deadLettersArn, scheduleGroup, scheduleRoleArn } from '../../local/environment.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';

let schedules: Schedules;
let permissions: Permissions;
beforeAll(async () => {
  schedules = await startSchedules({ group: scheduleGroup, invoke: async () => {} });
  permissions = enforceGrants({
    ...grants,
    'webhooks.deliver': { schedule: true },
    'users.getMe': {},
  });
});
afterAll(async () => {
  permissions.stop();
  await schedules.close();
});

/** Runs a call to the scheduler as a function. Returns its outcome. */
async function as(name: FunctionName, command: object): Promise<string> {
  let failure = 'done';
  const client = new SchedulerClient({
    endpoint: schedules.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const handler = async () => {
    await client.send(command as CreateScheduleCommand).catch((error: Error) => {
      failure = error.name;
    });
  };
  await invoke(name, handler, {}, 4_000);
  return failure;
}

const create = (Name: string, GroupName = scheduleGroup, RoleArn = scheduleRoleArn) =>
  new CreateScheduleCommand({
    Name,
    ClientToken: Name,
    GroupName,
    ScheduleExpression: `at(${new Date(Date.now() + 60_000).toISOString().slice(0, 19)})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: {
      Arn: 'arn:function',
      RoleArn,
      Input: '{}',
      DeadLetterConfig: { Arn: deadLettersArn },
      RetryPolicy: { MaximumRetryAttempts: 20, MaximumEventAgeInSeconds: 3_600 },
    },
  });

test('scheduling needs its grant, which is for one group and one role only', async () => {
  expect(await as('users.getMe', create('a'))).toBe('AccessDeniedException');
  expect(await as('webhooks.deliver', create('a', 'another'))).toBe('AccessDeniedException');
  expect(await as('webhooks.deliver', create('a', scheduleGroup, 'arn:admin'))).toBe(
    'AccessDeniedException',
  );
  expect(schedules.waiting()).toEqual([]);
  expect(await as('webhooks.deliver', create('a'))).toBe('done');
  expect(schedules.waiting()).toMatchObject([{ name: 'a' }]);
  expect(permissions.used.get('webhooks.deliver')).toEqual(new Set(['schedule']));
});

test('the grant allows no other operation of the scheduler', async () => {
  const remove = new DeleteScheduleCommand({ Name: 'a', GroupName: scheduleGroup });
  expect(await as('webhooks.deliver', remove)).toBe('AccessDeniedException');
  expect(schedules.waiting()).toMatchObject([{ name: 'a' }]);
});

test('rightsOf lists the right', () => {
  expect(rightsOf({ schedule: true, asynchronous: true })).toEqual(new Set(['schedule']));
});

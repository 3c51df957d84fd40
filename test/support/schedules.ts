import type { CreateScheduleCommandInput } from '@aws-sdk/client-scheduler';

/** A request to create a schedule of the group `ours` on 21 November 2026, with its name as input. */
export const scheduleRequest = (
  Name: string,
  time: string,
  more: object = {},
): CreateScheduleCommandInput => ({
  Name,
  ClientToken: Name,
  GroupName: 'ours',
  ScheduleExpression: `at(2026-11-21T${time})`,
  ScheduleExpressionTimezone: 'UTC',
  FlexibleTimeWindow: { Mode: 'OFF' },
  ActionAfterCompletion: 'DELETE',
  Target: {
    Arn: 'arn:function',
    RoleArn: 'arn:role',
    Input: JSON.stringify({ name: Name }),
    DeadLetterConfig: { Arn: 'arn:queue' },
    RetryPolicy: { MaximumRetryAttempts: 20, MaximumEventAgeInSeconds: 3_600 },
  },
  ...more,
});

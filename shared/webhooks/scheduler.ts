import {
  ConflictException,
  CreateScheduleCommand,
  SchedulerClient,
  SchedulerServiceException,
  ServiceQuotaExceededException,
} from '@aws-sdk/client-scheduler';
import { serviceUnavailable } from '../db/client.ts';
import { currentRequest } from '../db/request-context.ts';
import { env } from '../model/env.ts';
import { sha256 } from '../model/ids.ts';

const scheduler = /* @__PURE__ */ new SchedulerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 300, requestTimeout: 1_000, throwOnRequestTimeout: true },
});

/**
 * Schedules one invocation of the delivery function with `input`, at the first whole second after `at`; EventBridge
 * Scheduler is precise to the minute. Scheduling the same name twice has no effect. Throws `temporarily_unavailable` if
 * the outcome is unknown.
 *
 * @param name identifies the task; of any length
 * @param at epoch milliseconds
 * @param target ARN of the function
 */
export async function scheduleOnce(
  name: string,
  at: number,
  input: object,
  target: string,
): Promise<void> {
  // EventBridge Scheduler rejects times in the past, including those that pass before the call arrives.
  const time = Math.max(at, Date.now() + 5_000);
  const second = new Date(Math.ceil(time / 1_000) * 1_000).toISOString().slice(0, 19);
  const Name = sha256(name);
  const command = new CreateScheduleCommand({
    GroupName: env.scheduleGroup(),
    Name,
    ClientToken: Name,
    ScheduleExpression: `at(${second})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: {
      Arn: target,
      RoleArn: env.scheduleRoleArn(),
      Input: JSON.stringify(input),
      DeadLetterConfig: { Arn: env.deadLettersArn() },
      RetryPolicy: { MaximumRetryAttempts: 20, MaximumEventAgeInSeconds: 3_600 },
    },
  });
  try {
    await scheduler.send(command, { abortSignal: currentRequest().signal });
  } catch (error) {
    if (error instanceof ConflictException) return;
    throw isRefusal(error) ? error : serviceUnavailable(error);
  }
}

/**
 * Whether EventBridge Scheduler refuses the schedule for good; else it was too slow, too busy or broken, or has as many
 * schedules as the account may have, which becomes fewer as they run.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof SchedulerServiceException &&
  !(error instanceof ServiceQuotaExceededException) &&
  error.$fault === 'client' &&
  ![408, 429].includes(error.$metadata.httpStatusCode ?? 0);

import {
  GetScheduleCommand,
  ListSchedulesCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { stackName } from './assembly.ts';

const scheduler = new SchedulerClient();

/** The only schedule of the stack, with its due time in epoch milliseconds; undefined if there is none. */
export async function scheduledAt(): Promise<{ name: string; at: number } | undefined> {
  const { Schedules = [] } = await scheduler.send(
    new ListSchedulesCommand({ GroupName: stackName }),
  );
  const [{ Name = '' } = {}] = Schedules;
  if (Schedules.length === 0) return undefined;
  if (Schedules.length > 1) throw new Error(`There are ${Schedules.length} schedules.`);
  const { ScheduleExpression = '' } = await read(Name);
  return { name: Name, at: Date.parse(`${ScheduleExpression.slice(3, -1)}Z`) };
}

/** Makes a schedule due now, so that minutes of a journey pass in a second. The rest of it is unchanged. */
export async function bringForward(name: string): Promise<void> {
  const { Target, FlexibleTimeWindow, ActionAfterCompletion } = await read(name);
  const now = new Date().toISOString().slice(0, 19);
  await scheduler.send(
    new UpdateScheduleCommand({
      ...{ Name: name, GroupName: stackName, Target, FlexibleTimeWindow, ActionAfterCompletion },
      ScheduleExpression: `at(${now})`,
    }),
  );
}

const read = (Name: string) =>
  scheduler.send(new GetScheduleCommand({ Name, GroupName: stackName }));

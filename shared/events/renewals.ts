import type { DynamoDBRecord } from 'aws-lambda';
import { sessionPrefix } from '../db/key-prefixes.ts';
import { dayOf } from '../stats/days.ts';

/** A session that was renewed on another day (UTC) than the last time: its user is active on that day. */
export type Renewal = { project_id: string; uid: string; day: string };

/** Whether a stream record is of a session. */
export function isOfSession({ dynamodb }: DynamoDBRecord): boolean {
  const { sk } = dynamodb?.Keys ?? dynamodb?.NewImage ?? dynamodb?.OldImage ?? {};
  return sk?.S?.startsWith(sessionPrefix) ?? false;
}

/** The renewal that a stream record tells of. Undefined for any other change: the start of a session is an event. */
export function renewalOf(record: DynamoDBRecord): Renewal | undefined {
  const { OldImage, NewImage } = record.dynamodb ?? {};
  if (!isOfSession(record) || !OldImage || !NewImage) return undefined;
  const [before = '', after = ''] = [OldImage, NewImage].map(({ rotated_at }) => rotated_at?.S);
  const { project_id, uid } = NewImage;
  if (dayOf(before) === dayOf(after) || project_id?.S === undefined || uid?.S === undefined)
    return undefined;
  return { project_id: project_id.S, uid: uid.S, day: dayOf(after) };
}

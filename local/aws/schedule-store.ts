import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { ensureLocalTable } from '../engine/table.ts';
import type { Schedule, ScheduleStore } from './scheduler.ts';

const TableName = 'local-schedules';

/**
 * Stores waiting schedules in a separate table in the same database as the data, like the position in the stream. After
 * a stop or a `kill -9`, the next start resumes the schedules of its data, and no others.
 */
export function scheduleStoreIn(client: DynamoDBClient): ScheduleStore {
  return {
    async read() {
      await ensureLocalTable(client, TableName, 'name');
      const schedules: Schedule[] = [];
      for await (const { Items = [] } of paginateScan(
        { client },
        { TableName, ConsistentRead: true },
      ))
        for (const { schedule } of Items) schedules.push(JSON.parse(schedule?.S ?? '') as Schedule);
      return schedules;
    },
    async put(schedule) {
      const Item = { name: { S: schedule.name }, schedule: { S: JSON.stringify(schedule) } };
      await client.send(new PutItemCommand({ TableName, Item }));
    },
    async remove(name) {
      await client.send(new DeleteItemCommand({ TableName, Key: { name: { S: name } } }));
    },
  };
}

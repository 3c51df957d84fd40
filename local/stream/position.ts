import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ensureLocalTable } from '../engine/table.ts';

/** The position in a stream: for each shard id the last record up to which everything is processed. */
export type Positions = {
  read(): Promise<ReadonlyMap<string, string>>;
  write(done: ReadonlyMap<string, string>): Promise<void>;
};

const TableName = 'local-stream-positions';
/** The only reader. */
const reader = 'stream.sort';

/**
 * Stores the reader's positions in a separate table in the same database as the data. So a copied, restored or replaced
 * database has its own positions, which are never ahead of its records.
 * @param arn of the stream; a recreated table has another one.
 */
export async function positionsIn(client: DynamoDBClient, arn: string): Promise<Positions> {
  await ensureLocalTable(client, TableName, 'reader');
  return {
    async read() {
      const { Item = {} } = await client.send(
        new GetItemCommand({ TableName, Key: { reader: { S: reader } }, ConsistentRead: true }),
      );
      const shards = Item['stream']?.S === arn ? (Item['shards']?.M ?? {}) : {};
      return new Map(Object.entries(shards).map(([shard, last]) => [shard, last.S ?? '']));
    },
    async write(done) {
      const shards = [...done].map(([shard, last]) => [shard, { S: last }] as const);
      await client.send(
        new PutItemCommand({
          TableName,
          Item: {
            reader: { S: reader },
            stream: { S: arn },
            shards: { M: Object.fromEntries(shards) },
          },
        }),
      );
    },
  };
}

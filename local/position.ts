import {
  CreateTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';

/** How far a stream was worked off: by the id of each shard its last record of which nothing is left to do. */
export type Positions = {
  read(): Promise<ReadonlyMap<string, string>>;
  write(done: ReadonlyMap<string, string>): Promise<void>;
};

const TableName = 'local-stream-positions';
/** There is one. */
const reader = 'stream.sort';

/**
 * Keeps the positions of the reader of the stream in a table of its own beside the data, in the same database. So a database that is
 * copied, restored or exchanged brings its own positions, and none is ever ahead of the records that it is about.
 * @param arn of the stream: a table that is made anew has another.
 */
export async function positionsIn(client: DynamoDBClient, arn: string): Promise<Positions> {
  const create = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'reader', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'reader', KeyType: 'HASH' }],
  });
  await client.send(create).catch((error: unknown) => {
    if (!(error instanceof ResourceInUseException)) throw error;
  });
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

import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { tableSchema } from '../../shared/db/table-schema.ts';
import { StartFailure } from '../failure.ts';

/** Creates the table from the definition that the stack deploys. Both engines have it ready at once. */
export async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(new CreateTableCommand(definition(name)));
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: name,
      TimeToLiveSpecification: { AttributeName: tableSchema.timeToLive, Enabled: true },
    }),
  );
}

/** Creates the table if it does not exist. Throws a `StartFailure` if one with another definition exists. */
export async function ensureTable(client: DynamoDBClient, name: string): Promise<void> {
  let found: TableDescription | undefined;
  try {
    found = (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
  if (!found) return createTable(client, name);
  if (signature(found) !== signature(definition(name))) {
    throw new StartFailure(
      `The table ${name} was created by another version of this service, with other keys or indexes.`,
    );
  }
}

/** Creates a table beside that of the service, with a key of one attribute, if it does not exist. */
export async function ensureLocalTable(
  client: DynamoDBClient,
  name: string,
  key: string,
): Promise<void> {
  const create = new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
  });
  await client.send(create).catch((error: unknown) => {
    if (!(error instanceof ResourceInUseException)) throw error;
  });
}

function definition(name: string): CreateTableCommandInput {
  const indexes = Object.entries(tableSchema.indexes);
  const names = [tableSchema, ...Object.values(tableSchema.indexes)].flatMap((key) => [
    key.partitionKey,
    key.sortKey,
  ]);
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(tableSchema),
    GlobalSecondaryIndexes: indexes.map(([IndexName, index]) => ({
      IndexName,
      KeySchema: keySchema(index),
      Projection: {
        ProjectionType: index.projection,
        ...(index.projection === 'INCLUDE' && { NonKeyAttributes: [...index.attributes] }),
      },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: tableSchema.stream },
  };
}

function keySchema(key: { partitionKey: string; sortKey: string }) {
  return [
    { AttributeName: key.partitionKey, KeyType: 'HASH' as const },
    { AttributeName: key.sortKey, KeyType: 'RANGE' as const },
  ];
}

/** The properties of a table that cannot be changed without recreating it. */
function signature(table: CreateTableCommandInput | TableDescription): string {
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      projection: Projection?.ProjectionType,
      attributes: [...(Projection?.NonKeyAttributes ?? [])].sort(),
    }),
  );
  indexes.sort((a, b) => (a.IndexName ?? '').localeCompare(b.IndexName ?? ''));
  return JSON.stringify([table.KeySchema, indexes, table.StreamSpecification?.StreamViewType]);
}

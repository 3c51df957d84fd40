import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  type ScanCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../shared/db/schema.ts';
import type { Database } from './database.ts';

type Item = Record<string, unknown>;

/** The items of a table as they lie there, for what a test must see or bring about behind the service's back. */
export function rawTable({ endpoint, accessKeyId }: Database, TableName: string) {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  // Its log line, which nothing uses, visits every attribute.
  client.middlewareStack.remove('loggerMiddleware');
  const document = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  const get = async (key: Key): Promise<Item | undefined> => {
    const request = new GetCommand({ TableName, Key: key, ConsistentRead: true });
    return (await document.send(request)).Item;
  };
  const put = async (item: Item): Promise<void> => {
    await document.send(new PutCommand({ TableName, Item: item }));
  };
  return {
    name: TableName,
    client,
    get,
    put,
    /** Puts many items, 25 at a time. */
    async putAll(items: readonly Item[]): Promise<void> {
      const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, i) =>
        items.slice(i * 25, (i + 1) * 25).map((item) => ({ PutRequest: { Item: item } })),
      );
      const work = batches.values();
      const writer = async () => {
        for (const batch of work)
          await document.send(new BatchWriteCommand({ RequestItems: { [TableName]: batch } }));
      };
      await Promise.all(Array.from({ length: 8 }, writer));
    },
    /** Sets attributes of an item that is there; undefined removes one. */
    async update(key: Key, changes: Item): Promise<void> {
      const item = await get(key);
      if (!item) throw new Error(`There is no item ${JSON.stringify(key)}.`);
      await put({ ...item, ...changes });
    },
    async delete(key: Key): Promise<void> {
      await document.send(new DeleteCommand({ TableName, Key: key }));
    },
    /** Every item of a partition, or those whose sort key begins with `prefix`. */
    async query(pk: string, prefix = ''): Promise<Item[]> {
      const items: Item[] = [];
      let ExclusiveStartKey: Item | undefined;
      do {
        const page = await document.send(
          new QueryCommand({
            TableName,
            ConsistentRead: true,
            KeyConditionExpression: `pk = :pk${prefix && ' AND begins_with(sk, :prefix)'}`,
            ExpressionAttributeValues: { ':pk': pk, ...(prefix && { ':prefix': prefix }) },
            ExclusiveStartKey,
          }),
        );
        items.push(...(page.Items ?? []));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      return items;
    },
    /** Every item of the table. */
    async all(): Promise<Item[]> {
      const items: Item[] = [];
      let ExclusiveStartKey: Item | undefined;
      do {
        // A megabyte at a time.
        const page: ScanCommandOutput = await document.send(
          new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }),
        );
        items.push(...(page.Items ?? []));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      return items;
    },
  };
}

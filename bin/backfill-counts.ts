/** Counts the workspaces of users whose items lack the counts: `npm run backfill:counts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { prefixes } from '../shared/db/key-prefixes.ts';
import { type Key, keys, workspaceIdOf } from '../shared/db/keys.ts';
import { tableSchema } from '../shared/db/table-schema.ts';
import type { UserItem } from '../shared/identity/users/users.ts';
import type { WorkspaceItem } from '../shared/workspaces/items.ts';
import { CommandFailure, readFlags, runCommand } from './flags.ts';
import { outputOf } from './project/stack.ts';

const usage = `Usage: npm run backfill:counts -- --stack NAME
Counts the workspaces of users whose items lack the counts. Run it once before you upgrade to 0.6.0, if the deployment was
created with a version before 0.4.0, and after you have removed wrong counts of a user. It scans the whole table, can be
stopped and run again, and needs the permissions cloudformation:DescribeStacks and dynamodb:Scan, Query, GetItem and
UpdateItem. It uses the region and credentials of the AWS CLI.`;

/** Milliseconds after which an index has certainly caught up. */
const indexDelay = 5_000;

export async function main(args: string[]): Promise<string> {
  const values = readFlags(args, {
    stack: { type: 'string' },
  });
  if (!values) return usage;
  if (!values.stack) throw new CommandFailure('Pass --stack NAME.');
  const table = await outputOf(values.stack, 'TableName');
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  let [counted, left] = [0, 0];
  for await (const users of uncounted(client, table)) {
    if (users.length > 0) await sleep(indexDelay);
    for (const user of users)
      if (await count(client, table, user)) counted += 1;
      else left += 1;
  }
  if (left > 0)
    throw new CommandFailure(`Counted ${counted} users; ${left} changed meanwhile: run it again.`);
  return `Counted the workspaces of ${counted} users; every user now has counts.`;
}

if (import.meta.main) await runCommand(main);

/** Users without counts, or with the negative counts that versions before 0.6.0 stored. */
async function* uncounted(client: DynamoDBDocumentClient, table: string) {
  const pages = paginateScan(
    { client },
    {
      TableName: table,
      ConsistentRead: true,
      FilterExpression:
        'sk = :user AND attribute_not_exists(deleted_at) AND' +
        ' (attribute_not_exists(workspace_count) OR workspace_count < :zero OR' +
        ' attribute_not_exists(owned_workspace_count) OR owned_workspace_count < :zero)',
      ExpressionAttributeValues: { ':user': keys.user('').sk, ':zero': 0 },
    },
  );
  for await (const { Items = [] } of pages) yield Items as UserItem[];
}

/** Counts one user's workspaces. False if a membership was added or removed since they were read. */
async function count(client: DynamoDBDocumentClient, table: string, user: UserItem) {
  const { pk, sk, uid } = user;
  const memberships: (Key & { role: string })[] = [];
  const { partitionKey, sortKey } = tableSchema.indexes['by-member'];
  for await (const { Items = [] } of paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: 'by-member',
      KeyConditionExpression: `${partitionKey} = :pk AND begins_with(${sortKey}, :accepted)`,
      ExpressionAttributeValues: { ':pk': pk, ':accepted': prefixes.accepted },
    },
  ))
    memberships.push(...(Items as typeof memberships));
  let owned = 0;
  // An owner is always an admin.
  for (const { pk: partition, sk: member } of memberships.filter(({ role }) => role === 'admin')) {
    const Key = keys.workspace(workspaceIdOf({ pk: partition, sk: member }));
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key, ConsistentRead: true }),
    );
    const { owner_id, deleted_at } = (Item ?? {}) as Partial<WorkspaceItem>;
    if (owner_id === uid && deleted_at === undefined) owned += 1;
  }
  const asSeen = (['workspace_count', 'owned_workspace_count'] as const).map((name) =>
    user[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :seen_${name}`,
  );
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk, sk },
        UpdateExpression: 'SET workspace_count = :joined, owned_workspace_count = :owned',
        ConditionExpression: `attribute_not_exists(deleted_at) AND ${asSeen.join(' AND ')}`,
        ExpressionAttributeValues: {
          ':joined': memberships.length,
          ':owned': owned,
          ...(user.workspace_count !== undefined && {
            ':seen_workspace_count': user.workspace_count,
          }),
          ...(user.owned_workspace_count !== undefined && {
            ':seen_owned_workspace_count': user.owned_workspace_count,
          }),
        },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

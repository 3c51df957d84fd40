/** Lists and counts the users and workspaces of before 0.10.0: `npm run backfill:directory`. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { byOperator } from '../shared/db/index-attributes.ts';
import { type Key, keys } from '../shared/db/keys.ts';
import { tableSchema } from '../shared/db/table-schema.ts';
import { CommandFailure, readFlags, runCommand, type Terminal } from './flags.ts';
import { outputOf } from './project/stack.ts';

const usage = `Usage: npm run backfill:directory -- --stack NAME
Run it once after you upgrade to 0.10.0: until then GET /users and GET /workspaces leave out what was there before, and
GET /stats the totals of its projects. It lists and counts users, workspaces and members while the service works. It reads
the whole table, can be stopped and run again, and needs the permissions cloudformation:DescribeStacks and dynamodb:Scan,
Query, GetItem, BatchGetItem, BatchWriteItem and UpdateItem. It uses the region and credentials of the AWS CLI.`;

/** Items that are counted at a time. */
const width = 16;
/** Milliseconds for one item. */
const time = 30_000;

export async function main(args: string[], terminal: Terminal): Promise<string> {
  const values = readFlags(args, {
    stack: { type: 'string' },
  });
  if (!values) return usage;
  if (!values.stack) throw new CommandFailure('Pass --stack NAME.');
  const table = await outputOf(values.stack, 'TableName');
  // The table layer reads these variables when it is imported. Our transport supports only the credentials of a Lambda
  // function.
  Object.assign(process.env, { TABLE_NAME: table, DYNAMODB_TRANSPORT: 'sdk' });
  const { runInRequest } = await import('../shared/db/request-context.ts');
  const { beginRecount, endRecount, recountItem } = await import('../shared/events/recount.ts');
  const { listItem } = await import('../shared/directory/list-item.ts');
  const step = <T>(work: () => Promise<T>) => runInRequest('backfill', time, work);

  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const begun = new Map<string, string>();
  for await (const project_id of projects(client, table))
    begun.set(project_id, await step(() => beginRecount(project_id)));
  let counted = 0;
  for await (const items of usersAndWorkspaces(client, table)) {
    const left = items.values();
    const count = async () => {
      for (const { pk, sk } of left) {
        await step(() => listItem({ pk, sk }));
        await step(() => recountItem({ pk, sk }));
      }
    };
    await Promise.all(Array.from({ length: width }, count));
    counted += items.length;
    if (items.length > 0) terminal.stderr.write(`${counted} listed and counted\n`);
  }
  for (const [project_id, since] of begun) await step(() => endRecount(project_id, since));
  return `Listed and counted ${counted} users and workspaces of ${begun.size} projects.`;
}

if (import.meta.main) await runCommand(main);

async function* projects(client: DynamoDBDocumentClient, table: string): AsyncGenerator<string> {
  const { partitionKey } = tableSchema.indexes['by-email'];
  const { by_email_pk, by_email_sk: prefix } = byOperator('');
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: 'by-email',
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': partitionKey },
      ExpressionAttributeValues: { ':pk': by_email_pk },
    },
  );
  for await (const { Items = [] } of pages)
    for (const { by_email_sk } of Items) yield String(by_email_sk).slice(prefix.length);
}

/** The keys of all users and workspaces, those of deleted ones too. */
async function* usersAndWorkspaces(client: DynamoDBDocumentClient, table: string) {
  const pages = paginateScan(
    { client },
    {
      TableName: table,
      ConsistentRead: true,
      ProjectionExpression: 'pk, sk',
      FilterExpression: 'sk IN (:user, :workspace)',
      ExpressionAttributeValues: { ':user': keys.user('').sk, ':workspace': keys.workspace('').sk },
    },
  );
  for await (const { Items = [] } of pages) yield Items as Key[];
}

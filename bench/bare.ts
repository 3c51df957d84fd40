import { createServer, type IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

/**
 * The yardstick: a bare Node server that makes the very DynamoDB calls of an endpoint with the document client and
 * answers with what it read. No authentication, no validation, no permissions, no views, no retries, no log.
 */

const TableName = process.env['TABLE_NAME'] ?? '';
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));

type Values = Record<string, string>;
type Item = Record<string, unknown>;

const user = (uid = '') => ({ pk: `USER#${uid}`, sk: 'USER' });
const session = (uid = '', sid = '') => ({ pk: `USER#${uid}`, sk: `SESSION#${sid}` });
const workspace = (wid = '') => ({ pk: `WS#${wid}`, sk: 'WS' });
const member = (wid = '', uid = '') => ({ pk: `WS#${wid}`, sk: `MEMBER#${uid}` });
const invitation = (wid = '', uid = '') => ({ pk: `WS#${wid}`, sk: `INVITE#${uid}` });

const get = async (Key: Item) =>
  (await table.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

const batchGet = async (Keys: Item[]) => {
  const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
  return (await table.send(new BatchGetCommand({ RequestItems }))).Responses?.[TableName] ?? [];
};

const query = async (pk: string, prefix: string, Limit: number, index?: 'email' | 'member') => {
  const names = index ? [`by_${index}_pk`, `by_${index}_sk`] : ['pk', 'sk'];
  const page = await table.send(
    new QueryCommand({
      TableName,
      ...(index ? { IndexName: `by-${index}` } : { ConsistentRead: true }),
      KeyConditionExpression: `${names[0]} = :pk AND begins_with(${names[1]}, :prefix)`,
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      Limit,
    }),
  );
  return page.Items ?? [];
};

const fresh = 'attribute_not_exists(pk)';
const put = (Item: Item) => ({ Put: { TableName, Item, ConditionExpression: fresh } });
const check = (Key: Item, ConditionExpression: string, values?: Item) => ({
  ConditionCheck: {
    TableName,
    Key,
    ConditionExpression,
    ...(values && { ExpressionAttributeValues: values }),
  },
});
const unchanged = (item: Item) => check(user(String(item['uid'])), 'version = :v', { ':v': 1 });
const write = (TransactItems: NonNullable<TransactWriteCommand['input']['TransactItems']>) =>
  table.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() }));

const newMember = (workspace_id: string, of: Item, role: string) => {
  const { uid, project_id, email } = of;
  const now = new Date().toISOString();
  return {
    ...member(workspace_id, String(uid)),
    by_member_pk: `USER#${String(uid)}`,
    by_member_sk: `MEMBER#${workspace_id}`,
    member_id: `mid-${randomUUID()}`,
    workspace_id,
    project_id,
    user_id: uid,
    role,
    inviter_id: uid,
    inviter_email: email,
    created_at: now,
    modified_at: now,
    profile: JSON.stringify(of),
    profile_version: 1,
  };
};

const operations: Record<string, (values: Values) => Promise<unknown>> = {
  getMe: async ({ uid, sid }) => batchGet([session(uid, sid), user(uid)]),

  getByEmail: async ({ project_id, email }) => {
    const pk = `EMAIL#${project_id}#${email}`;
    return Promise.all([get({ pk, sk: 'EMAIL' }), query(pk, 'USER', 1, 'email')]);
  },

  listJoined: async ({ uid, sid }) => {
    const found = query(`USER#${uid}`, 'MEMBER#', 1_000, 'member');
    const [items] = await Promise.all([found, get(session(uid, sid))]);
    return batchGet(
      items.flatMap(({ pk }) => [
        { pk, sk: 'WS' },
        { pk, sk: `MEMBER#${uid}` },
      ]),
    );
  },

  listMembers: async ({ wid, limit }) =>
    Promise.all([get(workspace(wid)), query(`WS#${wid}`, 'MEMBER#', Number(limit) + 1)]),

  createWorkspace: async ({ owner_id, name }) => {
    const owner = (await get(user(owner_id))) ?? {};
    const workspace_id = `wid-${randomUUID()}`;
    const now = new Date().toISOString();
    const item = {
      ...workspace(workspace_id),
      workspace_id,
      project_id: owner['project_id'],
      name,
      owner_id,
      owner_email: owner['email'],
      owner_version: 1,
      allowed_domains: [],
      total_member_count: 1,
      pending_member_count: 0,
      created_at: now,
      modified_at: now,
    };
    await write([put(item), put(newMember(workspace_id, owner, 'admin')), unchanged(owner)]);
    return item;
  },

  join: async ({ wid = '', uid = '' }) => {
    const keys = [workspace(wid), user(uid), member(wid, uid), invitation(wid, uid)];
    const read = await batchGet(keys);
    const of = read.find(({ sk }) => sk === 'USER') ?? {};
    const joined = newMember(wid, of, 'member');
    const counted = {
      Update: {
        TableName,
        Key: workspace(wid),
        UpdateExpression: 'SET total_member_count = total_member_count + :one',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deleted_at)',
        ExpressionAttributeValues: { ':one': 1 },
      },
    };
    await write([counted, put(joined), check(invitation(wid, uid), fresh), unchanged(of)]);
    return joined;
  },

  refresh: async ({ uid, sid, counter }) => {
    const rotate = table.send(
      new UpdateCommand({
        TableName,
        Key: session(uid, sid),
        UpdateExpression:
          'SET #c = :next, rotated_at = :now, idle_expires_at = :idle, write_id = :w',
        ConditionExpression: '#c = :given',
        ExpressionAttributeNames: { '#c': 'counter' },
        ExpressionAttributeValues: {
          ':given': Number(counter),
          ':next': Number(counter) + 1,
          ':now': new Date().toISOString(),
          ':idle': 2_000_000_000,
          ':w': randomUUID(),
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    const [{ Attributes }, of] = await Promise.all([rotate, get(user(uid))]);
    return { session: Attributes, user: of };
  },
};

const server = createServer((request, response) => {
  void answer(request).then(
    (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

async function answer(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const operation = operations[(request.url ?? '').slice(1)];
  return JSON.stringify(await operation?.(JSON.parse(text) as Values));
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});

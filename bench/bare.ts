import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
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
 * The baseline: a bare Node server that makes the same DynamoDB calls as an endpoint with the document client and
 * returns what it read. No authentication, validation, permissions, views, retries or log.
 */

const TableName = process.env['TABLE_NAME'] ?? '';
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));

type Item = Record<string, unknown>;
type Values = Record<'uid' | 'sid' | 'wid' | 'email' | 'project_id' | 'owner_id' | 'name', string> &
  Record<'limit' | 'counter', number> & { projected?: boolean; keys: Item[] };

/** The attributes that lists show. */
const shownOfWorkspace = [
  ...['pk', 'sk', 'workspace_id', 'project_id', 'name', 'logo_url', 'description', 'owner_id'],
  ...['owner_email', 'allowed_domains', 'total_member_count', 'offered_to', 'created_at'],
  ...['external_id', 'mfa_required_at', 'modified_at', 'deleted_at', 'role', 'suspended_at'],
];
const shownOfMember = ['user_id', 'project_id', 'role', 'member_id', 'profile', 'suspended_at'];

const user = (uid: unknown) => ({ pk: `USER#${String(uid)}`, sk: 'USER' });
const session = (uid: string, sid: string) => ({ pk: `USER#${uid}`, sk: `SESSION#${sid}` });
const workspace = (wid: string) => ({ pk: `WS#${wid}`, sk: 'WS' });
const member = (wid: string, uid: unknown) => ({ pk: `WS#${wid}`, sk: `MEMBER#${String(uid)}` });
const invitation = (wid: string, uid: string) => ({ pk: `WS#${wid}`, sk: `INVITE#${uid}` });

const get = async (Key: Item) =>
  (await table.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

/** The parameters of a read that returns these attributes only; of whole items without them. */
const projected = (attributes: string[]) =>
  attributes.length > 0 && {
    ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
  };

const batchGet = async (Keys: Item[], attributes: string[] = []) => {
  const read = { Keys, ConsistentRead: true, ...projected(attributes) };
  const RequestItems = { [TableName]: read };
  return (await table.send(new BatchGetCommand({ RequestItems }))).Responses?.[TableName] ?? [];
};

const query = async (
  pk: string,
  prefix: string,
  Limit: number,
  index?: 'email' | 'member',
  attributes: string[] = [],
) => {
  const by = index ? `by_${index}_` : '';
  const input = {
    TableName,
    ...projected(attributes),
    ...(index ? { IndexName: `by-${index}` } : { ConsistentRead: true }),
    KeyConditionExpression: `${by}pk = :pk AND begins_with(${by}sk, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    Limit,
  };
  return (await table.send(new QueryCommand(input))).Items ?? [];
};

const ConditionExpression = 'attribute_not_exists(pk)';
const put = (Item: Item) => ({ Put: { TableName, Item, ConditionExpression } });
const absent = (Key: Item) => ({ ConditionCheck: { TableName, Key, ConditionExpression } });
const unchanged = ({ uid }: Item) => ({
  ConditionCheck: {
    TableName,
    Key: user(uid),
    ConditionExpression: 'version = :v',
    ExpressionAttributeValues: { ':v': 1 },
  },
});
const write = (TransactItems: NonNullable<TransactWriteCommand['input']['TransactItems']>) =>
  table.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() }));

const newMember = (workspace_id: string, of: Item, role: string) => {
  const { uid, project_id, email } = of;
  const now = new Date().toISOString();
  return {
    ...member(workspace_id, uid),
    by_member_pk: user(uid).pk,
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

  read: async ({ keys }) => batchGet(keys),

  getByEmail: async ({ project_id, email }) => {
    const pk = `EMAIL#${project_id}#${email}`;
    return Promise.all([get({ pk, sk: 'EMAIL' }), query(pk, 'USER', 1, 'email')]);
  },

  listJoined: async ({ uid, sid, projected: less }) => {
    const found = query(`USER#${uid}`, 'MEMBER#', 1_000, 'member');
    const [items] = await Promise.all([found, get(session(uid, sid))]);
    const sks = ['WS', `MEMBER#${uid}`];
    const wanted = items.flatMap(({ pk }) => sks.map((sk) => ({ pk, sk })));
    return batchGet(wanted, less ? shownOfWorkspace : []);
  },

  listMembers: async ({ wid, limit, projected: less }) => {
    const attributes = less ? shownOfMember : [];
    const members = query(`WS#${wid}`, 'MEMBER#', limit + 1, undefined, attributes);
    return Promise.all([get(workspace(wid)), members]);
  },

  createWorkspace: async ({ owner_id, name }) => {
    const owner = (await get(user(owner_id))) ?? {};
    const { project_id, email: owner_email } = owner;
    const workspace_id = `wid-${randomUUID()}`;
    const now = new Date().toISOString();
    const item = {
      ...workspace(workspace_id),
      workspace_id,
      project_id,
      name,
      owner_id,
      owner_email,
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

  join: async ({ wid, uid }) => {
    const keys = [workspace(wid), user(uid), member(wid, uid), invitation(wid, uid)];
    const of = (await batchGet(keys)).find(({ sk }) => sk === 'USER') ?? {};
    const joined = newMember(wid, of, 'member');
    const counted = {
      Update: {
        TableName,
        Key: workspace(wid),
        ExpressionAttributeValues: { ':one': 1 },
        UpdateExpression: 'SET total_member_count = total_member_count + :one',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deleted_at)',
      },
    };
    await write([counted, put(joined), absent(invitation(wid, uid)), unchanged(of)]);
    return joined;
  },

  refresh: async ({ uid, sid, counter }) => {
    const now = new Date().toISOString();
    const rotation = {
      TableName,
      Key: session(uid, sid),
      ReturnValues: 'ALL_NEW' as const,
      UpdateExpression: 'SET #c = :next, rotated_at = :now, idle_expires_at = :idle, write_id = :w',
      ConditionExpression: '#c = :given',
      ExpressionAttributeNames: { '#c': 'counter' },
      ExpressionAttributeValues: {
        ':given': counter,
        ':next': counter + 1,
        ':now': now,
        ':idle': 2_000_000_000,
        ':w': randomUUID(),
      },
    };
    const rotated = table.send(new UpdateCommand(rotation));
    const [{ Attributes }, of] = await Promise.all([rotated, get(user(uid))]);
    return { session: Attributes, user: of };
  },
};

const server = createServer(async (request, response) => {
  try {
    const operation = operations[(request.url ?? '').slice(1)];
    const read = await operation?.((await json(request)) as Values);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(read));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.send?.({ url: `http://127.0.0.1:${port}` });
});

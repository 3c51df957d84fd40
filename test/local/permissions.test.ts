import {
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { grants } from '../../lib/grants.ts';
import { invoke } from '../../local/lambda.ts';
import { enforceGrants, type Permissions, rightsOf } from '../../local/permissions.ts';
import { createTable } from '../../local/table.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';

const TableName = 'permissions';
const client = new DynamoDBClient({
  endpoint: inject('engine'),
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
let permissions: Permissions;

beforeAll(async () => {
  await createTable(client, TableName);
  permissions = enforceGrants({
    ...grants,
    'users.getMe': { table: ['GetItem'], indexes: ['by-email'] },
    'users.update': { table: ['PutItem', 'ConditionCheckItem'] },
  });
});
afterAll(() => permissions.stop());

/** Runs work as a function and says how it ended. */
async function as(name: FunctionName, work: () => Promise<unknown>) {
  let failure = 'done';
  let attempts: number | undefined;
  const handler = async () => {
    try {
      await work();
    } catch (error) {
      failure = (error as Error).name;
      attempts = (error as { $metadata?: { attempts?: number } }).$metadata?.attempts;
    }
  };
  await invoke(name, handler, {}, 5000);
  return { failure, attempts };
}

const key = { pk: { S: 'A"IndexName":"by-email"' }, sk: { S: 'B' } };
const get = () => client.send(new GetItemCommand({ TableName, Key: key }));
const query = (IndexName?: string) => () =>
  client.send(
    new QueryCommand({
      TableName,
      ...(IndexName && { IndexName }),
      KeyConditionExpression: '#p = :p',
      ExpressionAttributeNames: { '#p': IndexName ? 'by_email_pk' : 'pk' },
      ExpressionAttributeValues: { ':p': { S: 'A","IndexName":"by-email' } },
    }),
  );
const transact = (TransactItems: TransactWriteItem[]) => () =>
  client.send(new TransactWriteItemsCommand({ TransactItems }));
const put = { Put: { TableName, Item: key } };
const check = {
  ConditionCheck: {
    TableName,
    Key: { pk: { S: 'other' }, sk: { S: 'other' } },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
};
const remove = { Delete: { TableName, Key: { pk: { S: 'third' }, sk: { S: 'third' } } } };

test('a granted call goes through and is recorded', async () => {
  expect(await as('users.getMe', get)).toMatchObject({ failure: 'done' });
  expect(permissions.used.get('users.getMe')).toContain('table:GetItem');
});

test('a call without its grant fails at once with AccessDeniedException, and is not recorded', async () => {
  expect(await as('docs.page', get)).toEqual({ failure: 'AccessDeniedException', attempts: 1 });
  expect(permissions.used.get('docs.page')).toBeUndefined();
});

test('a call that no grant names is refused', async () => {
  const scan = () => client.send(new ScanCommand({ TableName }));
  expect((await as('users.getMe', scan)).failure).toBe('AccessDeniedException');
});

test('the grant of an index is not the grant of the table, nor of another index', async () => {
  expect((await as('users.getMe', query('by-email'))).failure).toBe('done');
  expect((await as('users.getMe', query())).failure).toBe('AccessDeniedException');
  expect((await as('users.getMe', query('by-member'))).failure).toBe('AccessDeniedException');
  expect((await as('discovery.jwks', query())).failure).toBe('done');
  expect((await as('discovery.jwks', query('by-email'))).failure).toBe('AccessDeniedException');
});

test('a transaction is authorised item by item', async () => {
  expect((await as('users.update', transact([put, check]))).failure).toBe('done');
  expect((await as('users.update', transact([put, remove]))).failure).toBe('AccessDeniedException');
  expect(permissions.used.get('users.update')).toEqual(
    new Set(['table:PutItem', 'table:ConditionCheckItem']),
  );
});

test('a refused call leaves the client usable, also for whoever runs in no function', async () => {
  await Promise.all(Array.from({ length: 20 }, () => as('docs.page', get)));
  expect((await get()).Item).toEqual(key);
  expect((await as('users.getMe', get)).failure).toBe('done');
});

test('rights spell out a grant', () => {
  expect(
    rightsOf({ table: ['Query'], indexes: ['by-member'], signingSecret: 'rotate', stream: true }),
  ).toEqual(new Set(['table:Query', 'index:by-member', 'secret:read', 'secret:rotate', 'stream']));
});

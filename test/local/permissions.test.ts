import {
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListEmailIdentitiesCommand, SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { grants } from '../../lib/grants.ts';
import { invoke } from '../../local/lambda.ts';
import { startBus } from '../../local/bus.ts';
import { busName, mailSecretName, secretName, webhookSecretName } from '../../local/environment.ts';
import { type Outbox, startOutbox } from '../../local/outbox.ts';
import { enforceGrants, type Permissions, rightsOf } from '../../local/permissions.ts';
import { type Secrets, startSecrets } from '../../local/secrets.ts';
import { createTable } from '../../local/table.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { keys } from '../../shared/table/shape.ts';

const TableName = 'permissions';
const local = {
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};
const client = new DynamoDBClient({ ...local, endpoint: inject('engine') });
let permissions: Permissions;
let outbox: Outbox;
let secrets: Secrets;

beforeAll(async () => {
  outbox = await startOutbox();
  secrets = await startSecrets(secretName, { plain: [mailSecretName, webhookSecretName] });
  await createTable(client, TableName);
  permissions = enforceGrants({
    ...grants,
    'users.getMe': { table: ['GetItem'], indexes: ['by-email'] },
    'users.update': { table: ['PutItem', 'ConditionCheckItem'] },
    'users.search': { table: [], secretUse: true },
    'sessions.create': { table: [], signingSecret: 'read' },
    'keys.rotate': { table: [], signingSecret: 'rotate' },
    'mail.send': { table: [], mailSecret: 'read', sendMail: true },
    'webhooks.deliver': { table: [], webhookSecret: 'read' },
  });
});
afterAll(async () => {
  permissions.stop();
  await Promise.all([outbox.close(), secrets.close()]);
});

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

const itemOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const putting = (pk: string) => () =>
  client.send(new PutItemCommand({ TableName, Item: itemOf(pk) }));

test('the grant to note the use of a secret is for that alone, by itself and in a transaction', async () => {
  const { pk } = keys.secretUse('project', 'secret');
  expect((await as('users.search', putting(pk))).failure).toBe('done');
  expect((await as('users.search', putting(`X${pk}`))).failure).toBe('AccessDeniedException');
  const both = transact([pk, 'other'].map((each) => ({ Put: { TableName, Item: itemOf(each) } })));
  expect((await as('users.search', both)).failure).toBe('AccessDeniedException');
  expect(permissions.used.get('users.search')).toEqual(new Set(['secret-use']));
  expect((await as('users.update', putting(pk))).failure).toBe('done');
  expect((await as('users.getMe', putting(pk))).failure).toBe('AccessDeniedException');
});

test('keys and projects are kept from whoever may write all else, by itself, in a transaction and in a batch', async () => {
  const [keysOf, project] = [keys.publicKey('kid').pk, keys.project('acme').pk];
  for (const pk of [keysOf, project]) {
    expect((await as('users.update', putting(pk))).failure).toBe('AccessDeniedException');
    const both = transact([put, { Put: { TableName, Item: itemOf(pk) } }]);
    expect((await as('users.update', both)).failure).toBe('AccessDeniedException');
    const Item = itemOf(pk);
    const batch = new BatchWriteItemCommand({
      RequestItems: {
        [TableName]: [{ PutRequest: { Item: itemOf('a') } }, { PutRequest: { Item } }],
      },
    });
    const inBatch = () => client.send(batch);
    expect((await as('stream.consume', inBatch)).failure).toBe('AccessDeniedException');
    const looked = transact([put, { ConditionCheck: { ...check.ConditionCheck, Key: Item } }]);
    expect((await as('users.update', looked)).failure).toBe('done');
  }
  expect((await as('projects.operate', putting(project))).failure).toBe('done');
  expect((await as('projects.operate', putting(keysOf))).failure).toBe('AccessDeniedException');
});

test('the grant of one secret is not that of another', async () => {
  const secretsManager = new SecretsManagerClient({ ...local, endpoint: secrets.endpoint });
  const read = (SecretId: string) => () =>
    secretsManager.send(new GetSecretValueCommand({ SecretId }));
  const names = [secretName, mailSecretName, webhookSecretName];
  for (const [name, granted] of [
    ['sessions.create', secretName],
    ['keys.rotate', secretName],
    ['mail.send', mailSecretName],
    ['webhooks.deliver', webhookSecretName],
    ['users.getMe', undefined],
  ] as const)
    for (const each of names)
      expect((await as(name, read(each))).failure).toBe(
        each === granted ? 'done' : 'AccessDeniedException',
      );
});

test('sending mail needs its grant, and that grant allows nothing else of the mail service', async () => {
  const ses = new SESv2Client({ ...local, endpoint: outbox.endpoint });
  const Data = 'x';
  const mail = new SendEmailCommand({
    FromEmailAddress: 'a@example.com',
    Destination: { ToAddresses: ['b@example.com'] },
    Content: { Simple: { Subject: { Data }, Body: { Text: { Data }, Html: { Data } } } },
  });
  expect(await as('users.getMe', () => ses.send(mail))).toEqual({
    failure: 'AccessDeniedException',
    attempts: 1,
  });
  expect(outbox.mails()).toHaveLength(0);
  expect((await as('mail.send', () => ses.send(mail))).failure).toBe('done');
  expect(outbox.mails()).toHaveLength(1);
  expect(permissions.used.get('mail.send')).toContain('mail:send');
  const list = () => ses.send(new ListEmailIdentitiesCommand({}));
  expect((await as('mail.send', list)).failure).toBe('AccessDeniedException');
});

test('publishing needs its grant, and that grant is for the one bus', async () => {
  const bus = await startBus({ name: busName });
  const eventbridge = new EventBridgeClient({ ...local, endpoint: bus.endpoint });
  const publish = (EventBusName: string) => () =>
    eventbridge.send(
      new PutEventsCommand({
        Entries: [{ EventBusName, Source: 'x', DetailType: 'x', Detail: '{}' }],
      }),
    );
  expect(await as('users.getMe', publish(busName))).toEqual({
    failure: 'AccessDeniedException',
    attempts: 1,
  });
  expect((await as('stream.consume', publish('default'))).failure).toBe('AccessDeniedException');
  expect(bus.put()).toHaveLength(0);
  expect((await as('stream.consume', publish(busName))).failure).toBe('done');
  expect(permissions.used.get('stream.consume')).toContain('events:publish');
  await bus.close();
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
  expect(rightsOf({ table: [], keeps: 'keys' })).toEqual(new Set(['keep:keys']));
  expect(rightsOf({ table: [], publish: true })).toEqual(new Set(['events:publish']));
  expect(rightsOf({ table: [], webhookSecret: 'read' })).toEqual(new Set(['webhook-secret:read']));
  expect(rightsOf({ table: [], mailSecret: 'read', sendMail: true, secretUse: true })).toEqual(
    new Set(['mail-secret:read', 'mail:send', 'secret-use']),
  );
});

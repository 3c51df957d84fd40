/** @module-tag alone */
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListEmailIdentitiesCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { grants } from '../../lib/functions.ts';
import { startBus } from '../../local/aws/eventbridge.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { enforceGrants, type Permissions } from '../../local/aws/permissions.ts';
import { rightsOf } from '../../local/aws/rights.ts';
import { startSchedules } from '../../local/aws/scheduler.ts';
import { type Secrets, startSecrets } from '../../local/aws/secrets-manager.ts';
import { type Outbox, startOutbox } from '../../local/aws/ses.ts';
import { startQueues } from '../../local/aws/sqs.ts';
import { createTable } from '../../local/engine/table.ts';
import {
  busName,
  deadLettersArn,
  plainSecretNames,
  scheduleGroup,
  scheduleRoleArn,
  secretNames,
} from '../../local/environment.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { keys } from '../../shared/db/keys.ts';
import { local } from '../support/local-calls.ts';
import { scheduleRequest } from '../support/schedules.ts';

const TableName = 'permissions';
const client = new DynamoDBClient({ ...local, endpoint: inject('engine') });
let permissions: Permissions;
let outbox: Outbox;
let secrets: Secrets;

beforeAll(async () => {
  outbox = await startOutbox();
  secrets = await startSecrets(secretNames.signing, { plain: plainSecretNames });
  await createTable(client, TableName);
  permissions = enforceGrants({
    ...grants,
    'users.getMe': { get: ['users'], indexes: ['by-email'] },
    'users.update': { put: ['users'], check: ['workspaces'] },
    'users.search': { put: ['secretUses'] },
    'users.delete': { get: ['users', 'workspaces'], batch: ['users', 'workspaces'] },
    'sessions.create': { secrets: { signing: 'read' } },
    'keys.rotate': { secrets: { signing: 'rotate' } },
    'mail.send': { secrets: { mail: 'read' }, sendMail: true },
    'webhooks.deliver': { secrets: { webhook: 'read' } },
    'webhooks.redeliver': { schedule: true },
    'factors.startTotp': { secrets: { factor: 'read' } },
    'links.start': { secrets: { captcha: 'read' } },
  });
});
afterAll(async () => {
  permissions.stop();
  await Promise.all([outbox.close(), secrets.close()]);
});

const denied = 'AccessDeniedException';
/** Runs work as a function. Returns its outcome, and the number of attempts if more than one. */
async function as(name: FunctionName, work: () => Promise<unknown>): Promise<string> {
  let ended = 'done';
  const handler = () =>
    work().catch((error: Error & { $metadata?: { attempts?: number } }) => {
      const { attempts } = error.$metadata ?? {};
      ended = attempts === 1 ? error.name : `${error.name} after ${attempts}`;
    });
  await invoke(name, handler, {}, 5000);
  return ended;
}

const itemOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const [user, workspace] = [keys.user('ada').pk, keys.workspace('acme').pk];
const Key = { pk: { S: 'USER#"IndexName":"by-email"' }, sk: { S: 'B' } };
const get = () => client.send(new GetItemCommand({ TableName, Key }));
const query =
  (IndexName?: string, pk = 'KEYS') =>
  () =>
    client.send(
      new QueryCommand({
        TableName,
        ...(IndexName && { IndexName }),
        KeyConditionExpression: '#p = :p',
        ExpressionAttributeNames: { '#p': IndexName ? 'by_email_pk' : 'pk' },
        ExpressionAttributeValues: { ':p': { S: pk } },
      }),
    );
const transact = (TransactItems: TransactWriteItem[]) => () =>
  client.send(new TransactWriteItemsCommand({ TransactItems }));
const put = { Put: { TableName, Item: Key } };
const checkOf = (pk: string) => ({
  ConditionCheck: { TableName, Key: itemOf(pk), ConditionExpression: 'attribute_not_exists(pk)' },
});
const remove = { Delete: { TableName, Key: itemOf('USER#third') } };

test('a granted call succeeds and is recorded', async () => {
  expect(await as('users.getMe', get)).toBe('done');
  expect(permissions.used.get('users.getMe')).toContain('get:users');
});

test('a call without a grant fails without a retry with AccessDeniedException, and is not recorded', async () => {
  expect(await as('docs.page', get)).toBe(denied);
  expect(permissions.used.get('docs.page')).toBeUndefined();
});

test('refuses an operation that no grant can name', async () => {
  const scan = () => client.send(new ScanCommand({ TableName }));
  expect(await as('users.getMe', scan)).toBe(denied);
});

test('a grant of an index does not grant the table, nor another index', async () => {
  expect(await as('users.getMe', query('by-email', '","IndexName":"by-email'))).toBe('done');
  expect(await as('users.getMe', query())).toBe(denied);
  expect(await as('users.getMe', query('by-member'))).toBe(denied);
  expect(await as('discovery.jwks', query())).toBe('done');
  expect(await as('discovery.jwks', query('by-email'))).toBe(denied);
});

test('each item of a transaction needs its grant', async () => {
  const check = checkOf(workspace);
  expect(await as('users.update', transact([put, check]))).toBe('done');
  for (const other of [remove, checkOf(user), { Put: { TableName, Item: itemOf(workspace) } }])
    expect(await as('users.update', transact([put, other]))).toBe(denied);
  expect(permissions.used.get('users.update')).toEqual(new Set(['put:users', 'check:workspaces']));
});

const putting = (pk: string) => () =>
  client.send(new PutItemCommand({ TableName, Item: itemOf(pk) }));

test('a grant of one kind of partition does not grant another, nor an unknown key', async () => {
  const { pk } = keys.secretUse('project', 'secret');
  expect(await as('users.search', putting(pk))).toBe('done');
  const others = [`X${pk}`, user, 'KEYS', 'KEYS#1', keys.project('acme').pk, 'USER', ''];
  for (const other of others) {
    expect(await as('users.search', putting(other)), other).toBe(denied);
    const both = [pk, other].map((each) => ({ Put: { TableName, Item: itemOf(each) } }));
    expect(await as('users.search', transact(both))).toBe(denied);
  }
  expect(permissions.used.get('users.search')).toEqual(new Set(['put:secretUses']));
  expect(await as('users.update', putting(user))).toBe('done');
  expect(await as('users.getMe', putting(user))).toBe(denied);
});

test('a batch may contain items of all granted partitions, and of no other', async () => {
  const reading =
    (...all: string[]) =>
    () =>
      client.send(
        new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: all.map(itemOf) } } }),
      );
  const writing =
    (...all: string[]) =>
    () =>
      client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            [TableName]: all.map((pk, i) =>
              i % 2 === 0
                ? { PutRequest: { Item: itemOf(pk) } }
                : { DeleteRequest: { Key: itemOf(pk) } },
            ),
          },
        }),
      );
  for (const batch of [reading, writing]) {
    expect(await as('users.delete', batch(user, workspace))).toBe('done');
    for (const other of ['KEYS', keys.project('acme').pk, keys.emailGuard('demo', 'a@b.c').pk])
      expect(await as('users.delete', batch(user, other)), other).toBe(denied);
  }
  expect(await as('users.delete', putting(user))).toBe(denied);
});

test('reading single items and reading a whole partition need separate grants', async () => {
  expect(await as('discovery.jwks', query())).toBe('done');
  expect(await as('discovery.jwks', query(undefined, user))).toBe(denied);
  expect(await as('users.getMe', query(undefined, user))).toBe(denied);
});

test('a grant of one secret does not grant another', async () => {
  const secretsManager = new SecretsManagerClient({ ...local, endpoint: secrets.endpoint });
  const read = (SecretId: string) => () =>
    secretsManager.send(new GetSecretValueCommand({ SecretId }));
  const names = [secretNames.signing, ...plainSecretNames];
  for (const [name, granted] of [
    ['sessions.create', secretNames.signing],
    ['keys.rotate', secretNames.signing],
    ['mail.send', secretNames.mail],
    ['webhooks.deliver', secretNames.webhook],
    ['factors.startTotp', secretNames.factor],
    ['links.start', secretNames.captcha],
    ['users.getMe', undefined],
  ] as const)
    for (const each of names)
      expect(await as(name, read(each))).toBe(each === granted ? 'done' : denied);
});

test('sending mail needs its grant, which allows no other operation of SES', async () => {
  const ses = new SESv2Client({ ...local, endpoint: outbox.endpoint });
  const Data = 'x';
  const mail = new SendEmailCommand({
    FromEmailAddress: 'a@example.com',
    Destination: { ToAddresses: ['b@example.com'] },
    Content: { Simple: { Subject: { Data }, Body: { Text: { Data }, Html: { Data } } } },
  });
  expect(await as('users.getMe', () => ses.send(mail))).toBe(denied);
  expect(outbox.mails()).toHaveLength(0);
  expect(await as('mail.send', () => ses.send(mail))).toBe('done');
  expect(outbox.mails()).toHaveLength(1);
  expect(permissions.used.get('mail.send')).toContain('mail:send');
  const list = () => ses.send(new ListEmailIdentitiesCommand({}));
  expect(await as('mail.send', list)).toBe(denied);
});

test('publishing needs its grant, which is for one bus only', async () => {
  const bus = await startBus({ name: busName });
  const eventbridge = new EventBridgeClient({ ...local, endpoint: bus.endpoint });
  const publish = (EventBusName: string) => () =>
    eventbridge.send(
      new PutEventsCommand({
        Entries: [{ EventBusName, Source: 'x', DetailType: 'x', Detail: '{}' }],
      }),
    );
  expect(await as('users.getMe', publish(busName))).toBe(denied);
  expect(await as('stream.consume', publish('default'))).toBe(denied);
  expect(bus.put()).toHaveLength(0);
  expect(await as('stream.consume', publish(busName))).toBe('done');
  expect(permissions.used.get('stream.consume')).toContain('events:publish');
  await bus.close();
});

test('scheduling needs its grant, which is for one group and one role, and allows no other operation', async () => {
  const schedules = await startSchedules({ group: scheduleGroup, invoke: async () => {} });
  const scheduler = new SchedulerClient({ ...local, endpoint: schedules.endpoint });
  const create = (GroupName: string, RoleArn: string) => () => {
    const { Target, ...request } = scheduleRequest('a', '', {
      ...{ GroupName, ScheduleExpression: 'at(2099-01-01T00:00:00)' },
    });
    const DeadLetterConfig = { Arn: deadLettersArn };
    const target = { ...Target, Arn: 'arn:function', RoleArn, DeadLetterConfig };
    return scheduler.send(new CreateScheduleCommand({ ...request, Target: target }));
  };
  const granted = create(scheduleGroup, scheduleRoleArn);
  expect(await as('users.getMe', granted)).toBe(denied);
  expect(await as('webhooks.redeliver', create('another', scheduleRoleArn))).toBe(denied);
  expect(await as('webhooks.redeliver', create(scheduleGroup, 'arn:admin'))).toBe(denied);
  expect(schedules.waiting()).toEqual([]);
  expect(await as('webhooks.redeliver', granted)).toBe('done');
  const end = new DeleteScheduleCommand({ Name: 'a', GroupName: scheduleGroup });
  expect(await as('webhooks.redeliver', () => scheduler.send(end))).toBe(denied);
  expect(schedules.waiting()).toMatchObject([{ name: 'a' }]);
  expect(permissions.used.get('webhooks.redeliver')).toEqual(new Set(['schedule']));
  await schedules.close();
});

test('a function ends and puts off messages of the queue that it takes from, and of no other', async () => {
  const queues = await startQueues();
  const sqs = new SQSClient({ ...local, endpoint: queues.endpoint });
  const unknown = 'ReceiptHandleIsInvalid';
  const [changes, mails] = [queues.urlOf('changes'), queues.urlOf('mails')];
  const end = (QueueUrl: string) => () =>
    sqs.send(
      new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: '0', ReceiptHandle: 'x' }] }),
    );
  const putOff = (QueueUrl: string) => () =>
    sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: 'x', VisibilityTimeout: 1 }),
    );
  expect(await as('stream.consume', end(changes))).toBe('done');
  expect(await as('mail.send', end(mails))).toBe(denied);
  expect(await as('stream.consume', end(mails))).toBe(denied);
  expect(await as('stream.consume', putOff(changes))).toBe(unknown);
  expect(await as('stream.consume', putOff(mails))).toBe(denied);
  await queues.close();
});

test('a client stays usable after refused calls, also outside of functions', async () => {
  await Promise.all(Array.from({ length: 20 }, () => as('docs.page', get)));
  expect((await get()).Item).toEqual(Key);
  expect(await as('users.getMe', get)).toBe('done');
});

test('rightsOf lists every right of a grant', () => {
  expect(
    rightsOf({
      get: ['users', 'keys'],
      update: ['users'],
      indexes: ['by-member'],
      secrets: { signing: 'rotate' },
      stream: true,
      setsAside: true,
    }),
  ).toEqual(
    new Set([
      ...['get:users', 'get:keys', 'update:users', 'index:by-member'],
      ...['secret:signing:read', 'secret:signing:rotate', 'stream'],
      ...['send:changes', 'send:mails', 'send:dead-letters'],
    ]),
  );
  expect(rightsOf({ schedule: true, asynchronous: true })).toEqual(new Set(['schedule']));
  expect(rightsOf({ publish: true })).toEqual(new Set(['events:publish']));
  expect(rightsOf({ secrets: { mail: 'read' }, sendMail: true })).toEqual(
    new Set(['secret:mail:read', 'mail:send']),
  );
});

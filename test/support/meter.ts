import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
  type KeysAndAttributes,
  QueryCommand,
  type QueryCommandInput,
  type ServiceInputTypes,
  type TransactWriteItem,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { running } from '../../local/lambda.ts';
import type { Item } from '../../shared/db/item.ts';
import { type Attributes, pageUnits, readUnits, writeUnits } from './capacity.ts';

/** What some work cost: its calls to the table by round trips, and their units. */
export type Cost = {
  rounds: readonly (readonly string[])[];
  /** Read units. */
  read: number;
  /** Write units. */
  write: number;
};

type Command = {
  name: string;
  input: ServiceInputTypes & Record<string, unknown>;
  /** What was read, as attribute values. */
  output?: { Item?: Attributes | undefined; Responses?: Record<string, Attributes[]> };
};
type Plain = { Item?: Item; Responses?: Record<string, Item[]> };
type Round = { calls: string[]; open: number; over: PromiseWithResolvers<void> };

/**
 * Measures what the service's client sends. Calls run in lock step: an answer is held back until every call under way
 * has its own, so that what follows from what, and not the clock, tells the round trips.
 * @param client the service's own; @param raw another, by which items are looked at before and after a write.
 */
export function meter(client: DynamoDBDocumentClient, raw: DynamoDBClient) {
  let cost: (Cost & { rounds: string[][] }) | undefined;
  let round: Round | undefined;

  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!cost) return next(args);
      const total = cost;
      const command: Command = {
        name: (context.commandName ?? '').replace('Command', ''),
        input: args.input as Command['input'],
      };
      const text = describe(command);
      const mine = (round ??= { calls: [], open: 0, over: Promise.withResolvers() });
      if (mine.open === 0) total.rounds.push(mine.calls);
      mine.open += 1;
      mine.calls.push(text);
      const before = await imagesOf(command);
      try {
        const result = await next(args);
        command.output = attributesIn(await wholeOf(command, result.output as Plain));
        const page = command.name === 'Query' ? await pageOf(command) : [];
        total.read += readsOf(command, page);
        return result;
      } finally {
        // A write whose condition fails costs as if it had been made of the item as it is.
        const after = await imagesOf(command);
        total.write += writesOf(command, before, after);
        // Where a call goes on beside the work, as when a try is given back, the next call of the work comes meanwhile.
        await sleep(3);
        mine.open -= 1;
        if (mine.open === 0) {
          round = undefined;
          mine.calls.sort();
          mine.over.resolve();
        }
        await mine.over.promise;
      }
    },
    // Behind the document client, which makes attribute values of plain data.
    { step: 'build', name: 'meter' },
  );

  /** The items that a command writes, as they lie there: all in one call, which knows no key twice, as no write does. */
  async function imagesOf(command: Command): Promise<(Attributes | undefined)[]> {
    const [first, ...more] = writtenBy(command);
    if (!first) return [];
    const Keys = [first, ...more].map(({ Key }) => Key);
    const RequestItems = { [first.TableName]: { Keys, ConsistentRead: true } };
    // Outside of the function, whose grants are not for us.
    const { Responses = {}, UnprocessedKeys = {} } = await running.exit(() =>
      raw.send(new BatchGetItemCommand({ RequestItems })),
    );
    if (Object.keys(UnprocessedKeys).length > 0)
      throw new Error('The items are more than the 16 MB of one answer.');
    const found = Responses[first.TableName] ?? [];
    return Keys.map(({ pk, sk }) =>
      found.find((item) => item['pk']?.S === pk?.S && item['sk']?.S === sk?.S),
    );
  }

  /** The whole items of a batch: units do not depend on which of their attributes are sent. */
  async function wholeOf({ name, input }: Command, output: Plain): Promise<Plain> {
    if (name !== 'BatchGetItem') return output;
    const requests = Object.entries(input['RequestItems'] as Record<string, KeysAndAttributes>);
    if (requests.every(([, request]) => request.ProjectionExpression === undefined)) return output;
    const RequestItems = Object.fromEntries(
      requests.map(([table, { Keys }]) => [table, { Keys, ConsistentRead: true }]),
    );
    const look = new BatchGetItemCommand({ RequestItems });
    const { Responses = {} } = await running.exit(() => raw.send(look));
    const plain = Object.entries(Responses).map(([table, items]) => [
      table,
      items.map((item) => unmarshall(item)),
    ]);
    return { Responses: Object.fromEntries(plain) };
  }

  /** The whole items of a page, also of one that is only counted. */
  async function pageOf({ input }: Command): Promise<Attributes[]> {
    const { ProjectionExpression: _, Select: __, ExpressionAttributeNames, ...rest } = input;
    const { '#pk': pk, '#sk': sk } = ExpressionAttributeNames as Record<string, string>;
    const names = { '#pk': pk, '#sk': sk };
    const look = new QueryCommand({
      ...rest,
      ExpressionAttributeNames: names,
    } as QueryCommandInput);
    return (await running.exit(() => raw.send(look))).Items ?? [];
  }

  return async <T>(work: () => Promise<T>): Promise<{ result: T; cost: Cost }> => {
    const measured = { rounds: [] as string[][], read: 0, write: 0 };
    cost = measured;
    try {
      return { result: await work(), cost: measured };
    } finally {
      cost = undefined;
    }
  };
}

/** The items of an answer, whose units go by their attribute values. */
const attributesIn = ({ Item, Responses = {} }: Plain): NonNullable<Command['output']> => ({
  Item: Item && marshall(Item),
  Responses: Object.fromEntries(
    Object.entries(Responses).map(([table, items]) => [table, items.map((item) => marshall(item))]),
  ),
});

type Keyed = { TableName: string; Key: Attributes };
type WritePart = { TableName: string; Key?: Attributes; Item?: Attributes };

function partsOf({ name, input }: Command): [action: string, part: WritePart][] {
  if (name === 'TransactWriteItems')
    return (input['TransactItems'] as TransactWriteItem[]).flatMap(
      (item) => Object.entries(item) as [string, WritePart][],
    );
  if (name === 'BatchWriteItem')
    return Object.entries(input['RequestItems'] as Record<string, WriteRequest[]>).flatMap(
      ([TableName, requests]) =>
        requests.map(({ DeleteRequest, PutRequest }): [string, WritePart] =>
          DeleteRequest
            ? ['Delete', { TableName, Key: DeleteRequest.Key as Attributes }]
            : ['Put', { TableName, Item: PutRequest?.Item as Attributes }],
        ),
    );
  if (['PutItem', 'UpdateItem', 'DeleteItem'].includes(name))
    return [[name.replace('Item', ''), input as unknown as WritePart]];
  return [];
}

export function writtenBy(command: Command): Keyed[] {
  return partsOf(command).map(([, { TableName, Key, Item }]) => ({
    TableName,
    Key:
      Key ?? (Item ? { pk: Item['pk'] as AttributeValue, sk: Item['sk'] as AttributeValue } : {}),
  }));
}

function readsOf({ name, input, output }: Command, page: Attributes[]): number {
  switch (name) {
    case 'GetItem':
      return readUnits([output?.Item]);
    case 'BatchGetItem': {
      const found = Object.values(output?.Responses ?? {}).flat();
      const missing = keysOf(input).length - found.length;
      return readUnits(found) + readUnits(Array.from({ length: missing }));
    }
    case 'Query':
      return pageUnits(page, input['ConsistentRead'] === true);
    default:
      return 0;
  }
}

function writesOf(
  command: Command,
  before: (Attributes | undefined)[],
  after: (Attributes | undefined)[],
): number {
  const transaction = command.name === 'TransactWriteItems';
  return before.reduce((sum, image, i) => sum + writeUnits(image, after[i], transaction), 0);
}

/** `BatchGetItem 2 member, user`; `Query by-email user`; `TransactWriteItems put session, update user` */
export function describe(command: Command): string {
  const { name, input } = command;
  switch (name) {
    case 'GetItem':
      return `GetItem ${kindOf(input['Key'] as Attributes)}`;
    case 'BatchGetItem':
      return `BatchGetItem ${count(keysOf(input).map(kindOf))}`;
    case 'Query': {
      const { ':pk': pk, ':prefix': sk } = input['ExpressionAttributeValues'] as Attributes;
      const index = input['IndexName'] ? `${String(input['IndexName'])} ` : '';
      const counted = input['Select'] === 'COUNT' ? 'count ' : '';
      return `Query ${counted}${index}${kindOf({ pk: pk ?? { S: '' }, sk: sk ?? { S: '' } })}`;
    }
    default: {
      const keys = writtenBy(command).map(({ Key }) => kindOf(Key));
      if (!name.startsWith('Transact')) return `${name} ${count(keys)}`;
      const verbs = partsOf(command).map(([verb]) => verb.replace('ConditionCheck', 'check'));
      return `${name} ${count(verbs.map((verb, i) => `${verb.toLowerCase()} ${keys[i]}`))}`;
    }
  }
}

function keysOf(input: Command['input']): Attributes[] {
  const tables = Object.values(input['RequestItems'] as Record<string, { Keys: Attributes[] }>);
  return tables.flatMap(({ Keys }) => Keys);
}

function kindOf({ pk, sk }: Attributes): string {
  const partition = (pk?.S ?? '').split('#')[0] ?? '';
  const sort = (sk?.S ?? '').split('#')[0] ?? '';
  const kind = byPartition[partition] ?? kinds[`${partition} ${sort}`];
  if (!kind) throw new Error(`No kind of item has the key ${pk?.S} ${sk?.S}`);
  return kind;
}

/** Where the place in the partition is no kind. */
const byPartition: Record<string, string> = {
  SECRET_USE: 'secret use',
  API_KEY_USE: 'API key use',
  FIND: 'search term',
  DIRECTORY: 'directory',
  ROLE: 'role holder',
  EXTERNAL_ID: 'external id guard',
  IMPORTED_HASHES: 'kinds of hashes',
};

const kinds: Record<string, string> = {
  'PROJECT PROJECT': 'project',
  'KEYS KEY': 'key',
  'USER USER': 'user',
  'USER SESSION': 'session',
  'USER PASSWORD': 'password',
  'USER MEMBER': 'member',
  'USER INVITE': 'invitation',
  'USER ARCHIVED': 'archived',
  'EMAIL EMAIL': 'e-mail guard',
  'EMAIL USER': 'user',
  'IDENTITY IDENTITY': 'identity',
  'USER API_KEY': 'API key',
  'WS API_KEY': 'API key',
  'USER PASSKEY': 'passkey',
  'PASSKEY PASSKEY': 'passkey guard',
  'WEBAUTHN CHALLENGE': 'passkey challenge',
  'USER FACTOR': 'factor',
  'MFA MFA': 'mfa token',
  'USER METADATA': 'metadata',
  'WS METADATA': 'metadata',
  'CODE CODE': 'challenge',
  'SIGN_IN_LINK LINK': 'sign-in link',
  'OAUTH_CODE CODE': 'authorization code',
  'PROVIDER_STATE STATE': 'sign-in at a provider',
  'PROVIDER_CODE CODE': 'provider code',
  'PROVIDER_TOKENS TOKENS': 'provider tokens',
  'TOKEN TOKEN': 'mail token',
  'MAIL MAIL': 'mail',
  'MAILBOX MAILBOX': 'mailbox',
  'RATE RATE': 'rate',
  'RATE TRIES': 'rate',
  'WS WS': 'workspace',
  'WS MEMBER': 'member',
  'WS INVITE': 'invitation',
  'WS DOMAIN': 'domain',
  'WS LINK': 'join link',
  'WS REQUEST': 'join request',
  'USER REQUEST': 'join request',
  'DOMAIN WS': 'domain',
  'ROLES ROLES': 'roles version',
  'ROLES DEFINITIONS': 'roles',
  'WEBHOOKS WEBHOOK': 'webhook',
  'WEBHOOKS COUNT': 'webhook count',
  'DELIVERY DELIVERY': 'delivery',
  'ATTEMPTS ATTEMPT': 'attempt',
  'LOG HEAD': 'log head',
  'LOG EVENT': 'log entry',
  'FEED HEAD': 'feed head',
  'FEED EVENT': 'feed entry',
  'STATS COUNT': 'counters',
  'IDEMPOTENCY IDEMPOTENCY': 'idempotency record',
};

function count(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n === 1 ? name : `${n} ${name}`)).join(', ');
}

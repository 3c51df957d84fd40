import type {
  AttributeValue,
  ServiceInputTypes,
  TransactWriteItem,
  WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { Attributes } from './capacity.ts';

/** A call to the table. */
export type Command = {
  name: string;
  input: ServiceInputTypes & Record<string, unknown>;
  /** The items read, as attribute values. */
  output?: { Item?: Attributes | undefined; Responses?: Record<string, Attributes[]> };
};

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
  if (singleWrites.includes(name))
    return [[name.replace('Item', ''), input as unknown as WritePart]];
  return [];
}

/** The calls that write one item. */
export const singleWrites: readonly string[] = ['PutItem', 'UpdateItem', 'DeleteItem'];

/** The items that a call writes. */
export function writtenBy(command: Command): Keyed[] {
  return partsOf(command).map(([, { TableName, Key, Item }]) => ({
    TableName,
    Key:
      Key ?? (Item ? { pk: Item['pk'] as AttributeValue, sk: Item['sk'] as AttributeValue } : {}),
  }));
}

/**
 * The name of a call: `BatchGetItem 2 member, user`; `Query by-email user`; `TransactWriteItems put session, update
 * user`
 */
export function nameOf(command: Command): string {
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

/** The keys that a batch reads. */
export function keysOf(input: Command['input']): Attributes[] {
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

/** For partitions whose sort key does not show the kind of an item. */
const byPartition: Record<string, string> = {
  SECRET_USE: 'secret use',
  API_KEY_USE: 'API key use',
  LEFT: 'workspace left',
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
  'IDEMPOTENCY RATE': 'rate',
};

function count(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n === 1 ? name : `${n} ${name}`)).join(', ');
}

import {
  type Grant,
  type Partition,
  partitionOf,
  type SecretName,
  type SecretUse,
  secretsOf,
  type Verb,
  verbs,
} from '../../lib/grant.ts';
import type { QueueName } from '../../shared/events/queue-sort.ts';
import { busName, scheduleGroup, scheduleRoleArn, secretNames } from '../environment.ts';
import { isNamed } from './secret-operations.ts';
import { queueOf } from './sqs.ts';

/** One right of a function. */
export type Right =
  /** On one kind of partition of the table. */
  | `${Verb}:${Partition}`
  | `index:${string}`
  | `secret:${SecretName}:${SecretUse}`
  | 'mail:send'
  | 'events:publish'
  | 'schedule'
  | 'stream'
  /** Sends to this queue. */
  | `send:${QueueName}`
  /** Sends to the dead letters. */
  | 'send:dead-letters'
  /** Receives from this queue, deletes messages that are done, and sets when failed ones return. */
  | `queue:${QueueName}`
  /** A call that no grant allows. */
  | `unknown:${string}`;

/** The rights of a grant. */
export function rightsOf(grant: Grant): Set<Right> {
  const rights = new Set<Right>();
  for (const verb of Object.keys(verbs) as Verb[])
    for (const partition of grant[verb] ?? []) rights.add(`${verb}:${partition}`);
  for (const index of grant.indexes ?? []) rights.add(`index:${index}`);
  for (const [name, use] of secretsOf(grant))
    rights.add(`secret:${name}:read`).add(`secret:${name}:${use}`);
  if (grant.sendMail) rights.add('mail:send');
  if (grant.stream) rights.add('stream').add('send:changes').add('send:mails');
  if (grant.setsAside) rights.add('send:dead-letters');
  if (grant.takes) rights.add(`queue:${grant.takes}`);
  if (grant.sends) rights.add(`send:${grant.sends}`);
  if (grant.publish) rights.add('events:publish');
  if (grant.schedule) rights.add('schedule');
  return rights;
}

/** What a function does with the messages that it has received, beside Lambda. IAM knows both without `Batch`. */
const takings = new Set(['AmazonSQS.ChangeMessageVisibility', 'AmazonSQS.DeleteMessageBatch']);

/** The rights that IAM requires for a call. Unknown calls require a right that no grant has. */
export function rightsFor(call: string, body: string): Iterable<Right> {
  const [service, operation = ''] = call.split('.');
  if (service === 'secretsmanager') return [rightToSecret(operation, body)];
  if (call === 'ses POST /v2/email/outbound-emails') return ['mail:send'];
  if (call === 'AWSEvents.PutEvents') return rightsToPublish(body);
  if (call === 'AmazonSQS.SendMessage') return ['send:dead-letters'];
  if (call === 'AmazonSQS.SendMessageBatch') return [rightToQueue('send', body)];
  if (takings.has(call)) return [rightToQueue('queue', body)];
  if (call.startsWith('scheduler POST /schedules/')) return [rightToSchedule(body)];
  if (service !== 'DynamoDB_20120810') return [`unknown:${call}`];
  const rights = tableRights[operation];
  return rights ? new Set(rights(JSON.parse(body))) : [`unknown:${operation}`];
}

type Attributes = { pk?: { S?: string } };
/** One item of a call: a put has the item, all others the key. */
type One = { Item?: Attributes; Key?: Attributes };
type Call = One & {
  RequestItems?: Record<
    string,
    { Keys?: Attributes[] } & { PutRequest?: One; DeleteRequest?: One }[]
  >;
  TransactItems?: Record<string, One>[];
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Record<string, { S?: string }>;
};

const right = (verb: Verb, pk: string | undefined): Right => {
  const partition = partitionOf(pk ?? '');
  return partition ? `${verb}:${partition}` : `unknown:${verb} in ${pk}`;
};
const onOne = (verb: Verb) => (one: One) => [right(verb, (one.Item ?? one.Key)?.pk?.S)];

/** The verbs of the parts of a transaction. */
const parts: Record<string, Verb> = {
  Get: 'get',
  Put: 'put',
  Update: 'update',
  Delete: 'delete',
  ConditionCheck: 'check',
};

/** The rights required by each operation on the table: IAM checks transactions and batches item by item. */
const tableRights: Record<string, (call: Call) => Right[]> = {
  GetItem: onOne('get'),
  PutItem: onOne('put'),
  UpdateItem: onOne('update'),
  DeleteItem: onOne('delete'),
  BatchGetItem: ({ RequestItems = {} }) =>
    Object.values(RequestItems)
      .flatMap(({ Keys = [] }) => Keys)
      .map((key) => right('get', key.pk?.S)),
  BatchWriteItem: ({ RequestItems = {} }) =>
    Object.values(RequestItems)
      .flat()
      .flatMap(({ PutRequest, DeleteRequest }) =>
        onOne('batch')(PutRequest ?? DeleteRequest ?? {}),
      ),
  TransactGetItems: rightsToTransact,
  TransactWriteItems: rightsToTransact,
  Query: ({ IndexName, KeyConditionExpression = '', ExpressionAttributeValues = {} }) => {
    if (IndexName !== undefined) return [`index:${IndexName}`];
    const [, name = ''] = /^#\w+ = (:\w+)/.exec(KeyConditionExpression) ?? [];
    return [right('query', ExpressionAttributeValues[name]?.S)];
  },
};

function rightsToTransact({ TransactItems = [] }: Call): Right[] {
  return TransactItems.flatMap((item) => Object.entries(item)).flatMap(([part, one]): Right[] => {
    const verb = parts[part];
    return verb ? onOne(verb)(one) : [`unknown:${part}`];
  });
}

function rightToQueue(action: 'send' | 'queue', body: string): Right {
  const { QueueUrl = '' } = JSON.parse(body) as { QueueUrl?: string };
  const queue = queueOf(QueueUrl);
  return queue ? `${action}:${queue}` : `unknown:${QueueUrl}`;
}

/** IAM checks the schedule group and the passed role. */
function rightToSchedule(body: string): Right {
  const { GroupName, Target } = JSON.parse(body) as {
    GroupName?: string;
    Target?: { RoleArn?: string };
  };
  return GroupName === scheduleGroup && Target?.RoleArn === scheduleRoleArn
    ? 'schedule'
    : `unknown:CreateSchedule in ${GroupName} as ${Target?.RoleArn}`;
}

function rightsToPublish(body: string): Set<Right> {
  const { Entries = [] } = JSON.parse(body) as { Entries?: { EventBusName?: string }[] };
  return new Set(
    Entries.map(
      ({ EventBusName }): Right =>
        EventBusName === busName ? 'events:publish' : `unknown:PutEvents on ${EventBusName}`,
    ),
  );
}

function rightToSecret(operation: string, body: string): Right {
  const { SecretId } = JSON.parse(body) as { SecretId?: string };
  const found = (Object.keys(secretNames) as SecretName[]).find((name) =>
    name === 'providers'
      ? SecretId?.startsWith(`${secretNames.providers}/`)
      : isNamed(secretNames[name], SecretId),
  );
  if (!found) return `unknown:${operation} of ${SecretId}`;
  return `secret:${found}:${operation === 'GetSecretValue' ? 'read' : 'rotate'}`;
}

import { type Channel, channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import {
  type Grant,
  type Kept,
  keptPartitions,
  secretUsePrefix,
  type TableAction,
} from '../lib/grants.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { idempotencyPrefix } from '../shared/table/shape.ts';
import {
  busName,
  mailSecretName,
  scheduleGroup,
  scheduleRoleArn,
  secretName,
  webhookSecretName,
} from './environment.ts';
import { running } from './lambda.ts';
import { isNamed } from './secret-operations.ts';

/** One right of a function. */
export type Right =
  | `table:${TableAction}`
  | `index:${string}`
  /** `table:PutItem` of the notes on the use of secrets alone. */
  | 'secret-use'
  /** Writes of the records of Idempotency-Keys alone. */
  | 'idempotency'
  /** Writes of items that are kept from everybody else, beside the right to write. */
  | `keep:${Kept}`
  | 'secret:read'
  | 'secret:rotate'
  | 'mail-secret:read'
  | 'webhook-secret:read'
  | 'mail:send'
  | 'events:publish'
  | 'schedule'
  | 'stream'
  /** A call that no grant can allow. */
  | `unknown:${string}`;

export type Permissions = {
  /** The rights that each function has used since the start. */
  used: ReadonlyMap<FunctionName, ReadonlySet<Right>>;
  /** Says that a function was fed from the stream, which its event source does for it. */
  useStream(name: FunctionName): void;
  stop(): void;
};

/** The very error that the SDK makes of IAM's refusal. */
class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

/** Every right that a grant gives. */
export function rightsOf(grant: Grant): Set<Right> {
  const rights = new Set<Right>(grant.table.map((action): Right => `table:${action}`));
  for (const index of grant.indexes ?? []) rights.add(`index:${index}`);
  if (grant.signingSecret) rights.add('secret:read');
  if (grant.signingSecret === 'rotate') rights.add('secret:rotate');
  if (grant.mailSecret) rights.add('mail-secret:read');
  if (grant.webhookSecret) rights.add('webhook-secret:read');
  if (grant.sendMail) rights.add('mail:send');
  if (grant.secretUse) rights.add('secret-use');
  if (grant.idempotency) rights.add('idempotency');
  if (grant.keeps) rights.add(`keep:${grant.keeps}`);
  if (grant.stream) rights.add('stream');
  if (grant.publish) rights.add('events:publish');
  if (grant.schedule) rights.add('schedule');
  return rights;
}

/**
 * Refuses, from now on, what IAM would refuse to the function under way: the call fails with AccessDeniedException
 * before it leaves the process. It works beneath the SDK, on every HTTP request to AWS, so that neither a source nor
 * a bundle can tell or evade it. Code that runs in no function may do everything.
 */
export function enforceGrants(grants: Record<FunctionName, Grant>): Permissions {
  const used = new Map<FunctionName, Set<Right>>();
  const rights = new Map(
    Object.entries(grants).map(([name, grant]) => [name as FunctionName, rightsOf(grant)]),
  );
  const use = (name: FunctionName, right: Right) => {
    let mine = used.get(name);
    if (!mine) used.set(name, (mine = new Set()));
    mine.add(right);
  };

  const guard = (message: unknown) => {
    const name = running.getStore();
    const { request } = message as { request: ClientRequest };
    const call = callOf(request);
    if (name === undefined || call === undefined) return;
    onceComplete(request, (body) => {
      for (const wanted of rightsFor(call, body)) {
        const mine = rights.get(name);
        // Who may put any item may put these.
        const right = wanted === 'secret-use' && !mine?.has(wanted) ? 'table:PutItem' : wanted;
        if (!mine?.has(right)) {
          return new AccessDenied(`${name} is not authorized to perform ${call} (${right}).`);
        }
        use(name, right);
      }
      return undefined;
    });
  };
  const requests: Channel = channel('http.client.request.created');
  requests.subscribe(guard);
  return {
    used,
    useStream: (name) => use(name, 'stream'),
    stop: () => requests.unsubscribe(guard),
  };
}

/** What a request asks of AWS; undefined for one that goes elsewhere, which nothing signs. */
function callOf(request: ClientRequest): string | undefined {
  const target = request.getHeader('x-amz-target');
  if (typeof target === 'string') return target;
  // Services without that header say by method and path what they are to do, and which they are in the signature.
  const signature = /^AWS4-.*?\/([\w-]+)\/aws4_request/.exec(
    String(request.getHeader('authorization')),
  );
  return signature ? `${signature[1]} ${request.method} ${request.path}` : undefined;
}

/** Holds a request back until its body is known, then lets it go or ends it with the error that `judge` gives. */
function onceComplete(request: ClientRequest, judge: (body: string) => Error | undefined): void {
  const held: (string | Uint8Array)[] = [];
  const hold = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) held.push(chunk);
  };
  const end = request.end;
  request.write = (chunk: unknown) => {
    hold(chunk);
    return true;
  };
  request.end = ((chunk?: unknown) => {
    hold(chunk);
    const body = Buffer.concat(held.map((part) => Buffer.from(part as Uint8Array)));
    const refusal = judge(body.toString());
    return refusal ? request.destroy(refusal) : end.call(request, body, 'utf8');
  }) as ClientRequest['end'];
}

const readActions = new Set(['GetItem', 'BatchGetItem']);

/** A write of one item: a put names the item, whatever else the key. */
type OneWrite = { Item?: AttributeMap; Key?: AttributeMap };
type AttributeMap = { pk?: { S?: string } };

/** What IAM calls the writes of one item, by themselves and as parts of a transaction. */
const writeActions: Record<string, TableAction> = {
  PutItem: 'PutItem',
  UpdateItem: 'UpdateItem',
  DeleteItem: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** The rights to write an item of this partition; some partitions have rights of their own. */
function rightsToWrite(action: TableAction, { Item, Key }: OneWrite): Right[] {
  const partition = (Item ?? Key)?.pk?.S ?? '';
  if (partition.startsWith(idempotencyPrefix)) return ['idempotency'];
  if (action === 'PutItem' && partition.startsWith(secretUsePrefix)) return ['secret-use'];
  const kept = action === 'ConditionCheckItem' ? undefined : keptOf(partition);
  return [`table:${action}`, ...(kept ? [`keep:${kept}` as const] : [])];
}

/** Of what is kept from those who may write, what this partition is. */
function keptOf(partition: string): Kept | undefined {
  const found = Object.entries(keptPartitions).find(([, pattern]) =>
    pattern.endsWith('*') ? partition.startsWith(pattern.slice(0, -1)) : partition === pattern,
  );
  return found?.[0] as Kept | undefined;
}

/** The rights to write a batch: that of the call, and what each of its items needs beside it. */
function rightsToBatch(body: string): Right[] {
  const { RequestItems = {} } = JSON.parse(body) as {
    RequestItems?: Record<string, { PutRequest?: OneWrite; DeleteRequest?: OneWrite }[]>;
  };
  const writes = Object.values(RequestItems).flat();
  return writes.flatMap(({ PutRequest, DeleteRequest }) =>
    rightsToWrite('BatchWriteItem', PutRequest ?? DeleteRequest ?? {}),
  );
}

/** The rights that IAM wants for a call. Whatever is not known here needs a right that no grant can give. */
function rightsFor(call: string, body: string): Iterable<Right> {
  const [service, operation = ''] = call.split('.');
  if (service === 'secretsmanager') return [rightToSecret(operation, body)];
  if (call === 'ses POST /v2/email/outbound-emails') return ['mail:send'];
  if (call === 'AWSEvents.PutEvents') return rightsToPublish(body);
  if (call.startsWith('scheduler POST /schedules/')) return [rightToSchedule(body)];
  if (service !== 'DynamoDB_20120810') return [`unknown:${call}`];
  const action = writeActions[operation];
  if (action) return rightsToWrite(action, JSON.parse(body) as OneWrite);
  if (operation === 'BatchWriteItem') return new Set(rightsToBatch(body));
  if (readActions.has(operation)) return [`table:${operation as TableAction}`];
  if (operation === 'TransactGetItems') return ['table:GetItem'];
  if (operation === 'TransactWriteItems') {
    const { TransactItems = [] } = JSON.parse(body) as {
      TransactItems?: Record<string, OneWrite>[];
    };
    return new Set(
      TransactItems.flatMap((item) => Object.entries(item)).flatMap(([part, write]): Right[] => {
        const partAction = writeActions[part];
        return partAction ? rightsToWrite(partAction, write) : [`unknown:${part}`];
      }),
    );
  }
  if (operation === 'Query') {
    // Within a JSON string the quotes would be escaped, so this can only be the field.
    const index = /"IndexName"\s*:\s*"([^"]*)"/.exec(body)?.[1];
    return [index === undefined ? 'table:Query' : `index:${index}`];
  }
  return [`unknown:${operation}`];
}

/** IAM judges the group, and the role that is passed on. */
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
  const reads = operation === 'GetSecretValue';
  if (isNamed(secretName, SecretId)) return reads ? 'secret:read' : 'secret:rotate';
  if (isNamed(mailSecretName, SecretId) && reads) return 'mail-secret:read';
  if (isNamed(webhookSecretName, SecretId) && reads) return 'webhook-secret:read';
  return `unknown:${operation} of ${SecretId}`;
}

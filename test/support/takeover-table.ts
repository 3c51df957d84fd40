import { type Grant, grants, type TableAction } from '../../lib/grants.ts';
import { routes } from '../../shared/contract/api.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import type { Scheme } from '../../shared/contract/route.ts';

const credentials: Record<Scheme, string> = {
  project: 'project secrets',
  access: 'access tokens',
  refresh: 'refresh tokens',
};

/** Fields of a body that let in whoever has their value. */
const secretFields: Record<string, string> = {
  accessToken: 'access tokens',
  password: 'passwords',
  current_password: 'passwords',
  new_password: 'passwords',
  code: 'codes',
  token: 'mailed tokens',
  join_token: 'join tokens',
  id_token: 'identity tokens',
};

const reads: Partial<Record<TableAction, string>> = {
  GetItem: 'get',
  BatchGetItem: 'get',
  Query: 'query',
  ConditionCheckItem: 'check',
};

const writes: Partial<Record<TableAction, string>> = {
  PutItem: 'put',
  UpdateItem: 'update',
  DeleteItem: 'delete',
  BatchWriteItem: 'put, delete',
};

/** The table of docs/security.md: what whoever runs code in a function sees and may do, by its route and its grant. */
export function takeoverTable(): string {
  const rows = Object.entries(grants).map(([name, grant]) =>
    [
      `\`${name}\``,
      seen(name as FunctionName, grant),
      some(grant.table.flatMap((action) => reads[action] ?? [])) + indexesOf(grant),
      some(grant.table.flatMap((action) => writes[action]?.split(', ') ?? [])),
      beside(grant),
    ].join(' | '),
  );
  return [
    '| Function | Sees of its callers | Reads | Writes | Beside the table |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function seen(name: FunctionName, { stream }: Grant): string {
  if (stream) return 'every change of the table';
  const route = routes.find((each) => each.name === name);
  if (!route) return '';
  const fields = Object.keys(('body' in route && route.body?.shape) || {});
  return some([
    ...route.auth.map((scheme) => credentials[scheme]),
    ...fields.flatMap((field) => secretFields[field] ?? []),
  ]);
}

function indexesOf({ indexes = [] }: Grant): string {
  return indexes.map((index) => `, \`${index}\``).join('');
}

function beside(grant: Grant): string {
  return some([
    ...(grant.signingSecret ? ['**signs tokens**'] : []),
    ...(grant.signingSecret === 'rotate' ? ['**replaces the signing key**'] : []),
    ...(grant.mailSecret ? ['**derives what mails carry**'] : []),
    ...(grant.webhookSecret ? ['signs for webhooks'] : []),
    ...(grant.sendMail ? ['sends mail'] : []),
    ...(grant.publish ? ['puts events on the bus'] : []),
    ...(grant.schedule ? ['schedules deliveries'] : []),
  ]);
}

/** Each once, in their order. */
const some = (texts: string[]): string => [...new Set(texts)].join(', ');

import { grants } from '../../lib/functions.ts';
import {
  type Grant,
  type Partition,
  partitions,
  type SecretName,
  secretsOf,
} from '../../lib/grant.ts';
import { routes } from '../../shared/contract/api.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import type { Route, Scheme } from '../../shared/contract/route.ts';
import {
  type AccountPart,
  accountParts,
  canBeOthers,
  powersOf,
  powersOver,
} from './account-powers.ts';

const credentials: Record<Scheme, string> = {
  project: 'project secrets',
  access: 'access tokens',
  refresh: 'refresh tokens',
  cookie: 'refresh tokens',
};

/** Body fields whose value is a credential. */
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

const ofAccounts = new Set<Partition>(Object.values(accountParts).flat());

/**
 * The table of docs/evidence/security.md: what an attacker who runs code in a function sees, and can do to any account
 * whose uid or e-mail they know. Computed from the route and the grant.
 */
export function takeoverTable(): string {
  const parts = Object.keys(accountParts) as AccountPart[];
  const rows = Object.entries(grants).map(([name, grant]) => {
    const powers = powersOf(grant);
    return [
      `\`${name}\``,
      seen(name as FunctionName, grant),
      ...parts.map((part) => powers[part].join(' ').replace('write', '**write**')),
      canBeOthers(grant) ? 'yes' : '',
      besideAccounts(grant),
      besideTable(grant),
    ].join(' | ');
  });
  const heads = [
    'Function',
    'Sees of its callers',
    ...parts,
    'Can be others',
    'Else in the table',
    'Beside it',
  ];
  return [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Partitions of every function that accepts a credential or writes; they would be in every row. */
const ordinary = new Set<Partition>(['secretUses', 'idempotency']);

function besideAccounts(grant: Grant): string {
  const others = (Object.keys(partitions) as Partition[])
    .filter((partition) => !ofAccounts.has(partition) && !ordinary.has(partition))
    .flatMap((partition) => {
      const powers = powersOver(grant, partition);
      return powers.length > 0 ? [`${partition}: ${powers.join(' ')}`] : [];
    });
  const indexes = (grant.indexes ?? []).map((index) => `\`${index}\`: read`);
  return [...others, ...indexes].join('; ');
}

function seen(name: FunctionName, { stream, takes }: Grant): string {
  if (stream || takes === 'changes') return 'every change of the table';
  if (takes === 'mails') return 'every new mail, without what it carries';
  const route: Route | undefined = routes.find((each) => each.name === name);
  if (!route) return '';
  const fields = [route.body, route.query].flatMap((part) => Object.keys(part?.shape ?? {}));
  return some([
    ...route.auth.map((scheme) => credentials[scheme]),
    ...fields.flatMap((field) => secretFields[field] ?? []),
  ]);
}

/** What a function can do with a secret that it can read. */
const powerOfSecret: Record<SecretName, string> = {
  signing: '**signs tokens**',
  mail: '**derives what mails carry**',
  webhook: 'signs for webhooks',
  factor: '**derives second factors**',
  captcha: 'has captchas verified',
  providers: '**is the projects at their identity providers**',
  providerToken: '**reads tokens of identity providers**',
};

function besideTable(grant: Grant): string {
  return some([
    ...secretsOf(grant).map(([name]) => powerOfSecret[name]),
    ...(grant.secrets?.signing === 'rotate' ? ['**replaces the signing key**'] : []),
    ...(grant.sendMail ? ['sends mail'] : []),
    ...(grant.stream ? ['sends to the queues'] : []),
    ...(grant.sends ? ['sends to its own queue'] : []),
    ...(grant.publish ? ['puts events on the bus'] : []),
    ...(grant.schedule ? ['schedules deliveries'] : []),
  ]);
}

/** Without duplicates, in the same order. */
const some = (texts: string[]): string => [...new Set(texts)].join(', ');

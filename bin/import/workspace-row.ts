import { isObject } from '../../shared/model/json-object.ts';
import { requireObject, textOf, UnusableRecord, type UserRow } from './format.ts';

/** A person, by uid, external id or e-mail. */
export type Person = { field: 'uid' | 'external_id' | 'email'; value: string };

/** A line of a file of workspaces. */
export type WorkspaceRow = {
  workspace: {
    name: string;
    external_id?: string;
    logo?: string;
    description?: string;
    require_mfa?: boolean;
    mfa_grace_days?: number;
    app_metadata?: Record<string, unknown>;
    private_metadata?: Record<string, unknown>;
  };
  owner: Person;
  /** Its custom roles, which its members may have. */
  roles: { role: string; definition: Record<string, unknown> }[];
  members: { person: Person; role: string; suspended: boolean }[];
  /** The allowed domains by mode, and all of them in order. */
  domains: { auto: string[]; suggest: string[]; all: string[] };
  /** The line's name of a field of the workspace, where the names differ. */
  named: Record<string, string>;
  /** Its position in the file, which identifies a workspace without any other identifier. */
  line: number;
};

type Rule = { is: (value: unknown) => boolean; must: string };
const string: Rule = { is: (value) => typeof value === 'string', must: 'Must be a string' };
const object: Rule = { is: isObject, must: 'Must be an object' };
const flag: Rule = { is: (value) => typeof value === 'boolean', must: 'Must be true or false' };
const integer: Rule = { is: Number.isInteger, must: 'Must be a whole number' };
/** Optional fields that are sent unchanged. */
const optional: Record<string, Rule> = {
  external_id: string,
  logo: string,
  description: string,
  app_metadata: object,
  private_metadata: object,
  require_mfa: flag,
  mfa_grace_days: integer,
};
/** Additional fields that `npm run workspaces:export` writes. */
const ownFields = ['workspace_id', 'logo_url'];
const fieldNames = new Set<string>([
  'name',
  ...Object.keys(optional),
  'owner',
  'roles',
  'members',
  'allowed_domains',
  'domain_modes',
  ...ownFields,
]);

/**
 * Reads a line. A workspace without an external id gets its old id as one, so that it is created only once. Throws an
 * `UnusableRecord` that names every wrong field.
 */
export function toWorkspaceRow(value: unknown, line: number): WorkspaceRow {
  const row = requireObject(value);
  const problems: string[] = [];
  const { name, owner, members = [] } = row;
  for (const field of Object.keys(row))
    if (!fieldNames.has(field)) problems.push(`${field}: Unknown field`);
  if (typeof name !== 'string' || name.trim() === '') problems.push('name: Is required');
  for (const [field, { is, must }] of Object.entries(optional))
    if (row[field] !== undefined && !is(row[field])) problems.push(`${field}: ${must}`);
  if (row['mfa_grace_days'] !== undefined && row['require_mfa'] !== true)
    problems.push('mfa_grace_days: Only together with require_mfa: true');
  const ownerOf = personIn(owner);
  if (!ownerOf) problems.push('owner: Must have uid, external_id or email');
  const roles = rolesIn(row['roles'], problems);
  if (!Array.isArray(members)) problems.push('members: Must be an array');
  const domains = domainsIn(row['allowed_domains'], row['domain_modes'], problems);
  const people = (Array.isArray(members) ? members : []).map((member: unknown, i) => {
    const person = personIn(member);
    const role = isObject(member) ? (member['role'] ?? 'member') : undefined;
    const suspended = isObject(member) ? (member['suspended'] ?? false) : false;
    if (!person) problems.push(`members/${i}: Must have uid, external_id or email`);
    // Only the service knows which roles exist.
    if (typeof role !== 'string') problems.push(`members/${i}/role: Must be the name of a role`);
    if (!flag.is(suspended)) problems.push(`members/${i}/suspended: ${flag.must}`);
    return { person, role, suspended };
  });
  if (problems.length > 0) throw new UnusableRecord(problems.join('; '));
  const more: UserRow = Object.fromEntries(
    Object.keys(optional).flatMap((field) =>
      row[field] === undefined ? [] : [[field, row[field]]],
    ),
  );
  const person = ownerOf as Person;
  const named: Record<string, string> = { owner_id: `owner/${person.field}` };
  const use = (field: string, ofExport: string) => {
    const { [ofExport]: text } = row;
    if (more[field] !== undefined || typeof text !== 'string' || text === '') return;
    more[field] = text;
    named[field] = ofExport;
  };
  use('logo', 'logo_url');
  use('external_id', 'workspace_id');
  return {
    line,
    named,
    workspace: { name: name as string, ...more },
    owner: person,
    roles,
    members: people as WorkspaceRow['members'],
    domains,
  };
}

/** Identifies a line in the file of errors, even one that cannot become a workspace. */
export const nameOfWorkspace = ({ name, external_id, workspace_id }: Record<string, unknown>) => ({
  name: textOf(name),
  external_id: textOf(external_id) ?? textOf(workspace_id),
});

function rolesIn(value: unknown, problems: string[]): WorkspaceRow['roles'] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.push('roles: Must be an array');
    return [];
  }
  return value.flatMap((each: unknown, i) => {
    const { role, ...definition } = isObject(each) ? each : {};
    if (typeof role === 'string') return [{ role, definition }];
    problems.push(`roles/${i}/role: Must be the name of a role`);
    return [];
  });
}

function domainsIn(
  allowed: unknown = [],
  modes: unknown = {},
  problems: string[],
): WorkspaceRow['domains'] {
  const domains: WorkspaceRow['domains'] = { auto: [], suggest: [], all: [] };
  if (!Array.isArray(allowed) || allowed.some((each) => typeof each !== 'string'))
    problems.push('allowed_domains: Must be an array of domains');
  else if (!isObject(modes)) problems.push('domain_modes: Must be an object');
  else {
    for (const [domain, mode] of Object.entries(modes)) {
      if (!allowed.includes(domain))
        problems.push(`domain_modes/${domain}: Must be one of allowed_domains`);
      if (mode !== 'auto' && mode !== 'suggest')
        problems.push(`domain_modes/${domain}: Must be auto or suggest`);
    }
    domains.all = allowed as string[];
    for (const domain of domains.all)
      domains[modes[domain] === 'suggest' ? 'suggest' : 'auto'].push(domain);
  }
  return domains;
}

function personIn(value: unknown): Person | undefined {
  if (!isObject(value)) return undefined;
  for (const field of ['external_id', 'email', 'uid'] as const) {
    const { [field]: text } = value;
    if (typeof text === 'string' && text !== '') return { field, value: text };
  }
  return undefined;
}

import { canonicalJson } from '../../shared/model/canonical-json.ts';
import { isBuiltIn } from '../../shared/model/fields.ts';
import {
  type Definitions,
  type RoleDefinition,
  roleOf,
  toStored,
} from '../../shared/roles/definitions.ts';

/** One request that brings a project closer to the file, and a line that describes it. */
export type Step = { method: 'PUT' | 'DELETE'; path: string; body?: object; line: string };

export type Plan = {
  steps: Step[];
  /** Definitions of the project that are not in the file; they stay. */
  left: string[];
};

/**
 * The requests that make a project equal to the file, in an order in which each can succeed: whatever a role refers to
 * is created before the role, and deleted after it. Without `prune` nothing is deleted.
 */
export function planOf(current: Definitions, desired: Definitions, prune: boolean): Plan {
  const [gonePermissions, goneRoles] = [
    missing(current.permissions, desired.permissions),
    missing(current.roles, desired.roles),
  ];
  const changes = [
    ...Object.entries(desired.permissions).flatMap(([name, definition]) =>
      permissionStep(name, current.permissions[name], definition),
    ),
    ...inOrder(desired.roles).flatMap((name) =>
      roleStep(name, roleOf(current, name), desired.roles[name] as RoleDefinition),
    ),
  ];
  const deletions = [
    ...inOrder(current.roles)
      .toReversed()
      .filter((name) => goneRoles.includes(name))
      .map(roleGone),
    ...gonePermissions.map(
      (name): Step => ({
        method: 'DELETE',
        path: `/permissions/${name}`,
        line: `- permission ${name}`,
      }),
    ),
  ];
  return prune
    ? { steps: [...changes, ...deletions], left: [] }
    : { steps: changes, left: deletions.map(({ line }) => line.slice(2)) };
}

const missing = (current: object, desired: object): string[] =>
  Object.keys(current).filter((name) => !Object.hasOwn(desired, name));

function permissionStep(
  name: string,
  before: Definitions['permissions'][string] | undefined,
  { description }: Definitions['permissions'][string],
): Step[] {
  if (before && before.description === description) return [];
  const text = before
    ? `~ permission ${name}: ${replaced('description', before.description, description)}`
    : `+ permission ${name}${description === undefined ? '' : `: ${description}`}`;
  return [{ method: 'PUT', path: `/permissions/${name}`, body: { description }, line: text }];
}

function roleStep(
  name: string,
  before: RoleDefinition | undefined,
  definition: RoleDefinition,
): Step[] {
  const [old, now] = [toStored(before ?? { permissions: [] }), toStored(definition)];
  const isNew = before === undefined && !isBuiltIn(name);
  if (!isNew && canonicalJson(old) === canonicalJson(now)) return [];
  const differences = [
    replaced('name', old.name, now.name),
    replaced('description', old.description, now.description),
    changed('permissions', old.permissions, now.permissions),
    changed('inherits', old.inherits ?? [], now.inherits ?? []),
  ].filter((each) => each !== '');
  const line = [`${isNew ? '+' : '~'} role ${name}`, differences.join('; ')].filter(Boolean);
  return [{ method: 'PUT', path: `/roles/${name}`, body: definition, line: line.join(': ') }];
}

/** A built-in role stays, without the project's additions. */
const roleGone = (name: string): Step =>
  isBuiltIn(name)
    ? {
        method: 'PUT',
        path: `/roles/${name}`,
        body: { permissions: [] },
        line: `- role ${name}: what the project added`,
      }
    : { method: 'DELETE', path: `/roles/${name}`, line: `- role ${name}` };

const replaced = (field: string, before: string | undefined, now: string | undefined): string =>
  before === now ? '' : `${field} ${JSON.stringify(before ?? '')} -> ${JSON.stringify(now ?? '')}`;

function changed(field: string, before: readonly string[], now: readonly string[]): string {
  const signs = [
    ...now.filter((each) => !before.includes(each)).map((each) => `+${each}`),
    ...before.filter((each) => !now.includes(each)).map((each) => `-${each}`),
  ];
  return signs.length === 0 ? '' : `${field} ${signs.join(' ')}`;
}

/** The names of roles, each after those that it inherits from. The inheritance has no cycle. */
function inOrder(roles: Definitions['roles']): string[] {
  const order = new Set<string>();
  const add = (name: string): void => {
    if (order.has(name) || !Object.hasOwn(roles, name)) return;
    roles[name]?.inherits?.forEach(add);
    order.add(name);
  };
  Object.keys(roles).forEach(add);
  return [...order];
}

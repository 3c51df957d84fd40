import { describe, expect, test } from 'vitest';
import { allow, dependsOnRole, isGrantable, policy } from '#shared/model/policy.ts';
import {
  type Definitions,
  grantedBy,
  isManaging,
  isReservedPermission,
  isRole,
  noDefinitions,
  permissionsOf,
  permissionsOfRole,
  problemOfSize,
  problemsOf,
  type RoleDefinition,
} from '#shared/roles/definitions.ts';

const role = (permissions: string[] = [], ...inherits: string[]): RoleDefinition => ({
  permissions,
  ...(inherits.length > 0 && { inherits }),
});
const definitions: Definitions = {
  permissions: { 'invoice:read': {}, 'invoice:pay': { description: 'Pay' }, 'report:read': {} },
  roles: {
    clerk: role(['invoice:read']),
    accountant: role(['invoice:pay', 'event:list'], 'clerk'),
    chief: role([], 'accountant', 'admin'),
    member: role(['report:read']),
    admin: role(['invoice:read']),
  },
};
const sorted = (set: Iterable<string>) => [...set].toSorted();
const everyMembers = [
  ...['member:leave', 'member:list-accepted', 'member:read', 'role:list', 'workspace:read'],
];

describe('the permissions of a role', () => {
  test('are its own, those it inherits, and those of every member', () => {
    expect(sorted(grantedBy('clerk', definitions))).toEqual(['invoice:read', 'report:read']);
    expect(sorted(grantedBy('accountant', definitions))).toEqual([
      ...['event:list', 'invoice:pay', 'invoice:read', 'report:read'],
    ]);
    expect(sorted(grantedBy('member', definitions))).toEqual(['report:read']);
  });

  test('include the grantable ones of admins, if it inherits from them', () => {
    const held = grantedBy('chief', definitions);
    for (const action of ['workspace:update', 'member:change-role', 'join-link:create'])
      expect(held).toContain(action);
    for (const action of ['ownership:accept', 'ownership:end', 'workspace:delete'])
      expect(held).not.toContain(action);
    expect(held).toContain('invoice:pay');
  });

  test.each(['ghost', 'constructor', 'toString', '__proto__', 'owner'])(
    'are those of every member for %s, which is not a role',
    (name) => {
      expect(isRole(definitions, name)).toBe(false);
      expect(sorted(grantedBy(name, definitions))).toEqual(['report:read']);
      expect(sorted(permissionsOfRole(name, definitions))).toEqual(
        [...everyMembers, 'report:read'].toSorted(),
      );
    },
  );

  test('end where roles inherit from each other, as an older version may have stored them', () => {
    const circle = { a: role(['invoice:read'], 'b'), b: role(['invoice:pay'], 'a') };
    expect(sorted(grantedBy('a', { ...definitions, roles: circle }))).toEqual([
      ...['invoice:pay', 'invoice:read'],
    ]);
  });

  test('include none that is undefined, nor one of the service that cannot be granted', () => {
    const odd = { odd: role(['invoice:gone', 'workspace:delete', 'ownership:end', 'event:list']) };
    expect(sorted(grantedBy('odd', { ...definitions, roles: odd }))).toEqual(['event:list']);
  });
});

describe('the permissions in a workspace', () => {
  test('of the owner are those of owners and every one of the project', () => {
    const all = permissionsOf('owner', 'admin', definitions);
    for (const each of ['workspace:delete', 'ownership:offer', 'invoice:pay', 'report:read'])
      expect(all).toContain(each);
    expect(all).not.toContain('ownership:accept');
  });

  test("of an admin are those of the policy and of the project's role admin", () => {
    const all = permissionsOfRole('admin', definitions);
    expect(all).toContain('ownership:accept');
    expect(all).toContain('invoice:read');
    expect(all).not.toContain('invoice:pay');
    expect(all).not.toContain('workspace:delete');
  });

  test('without definitions are those of the policy', () => {
    expect(sorted(permissionsOfRole('member', noDefinitions))).toEqual(everyMembers);
  });
});

test('a role manages if it may do more in the service than every member', () => {
  expect(['clerk', 'member', 'ghost'].map((each) => isManaging(each, definitions))).toEqual([
    ...[false, false, false],
  ]);
  expect(['accountant', 'chief', 'admin'].map((each) => isManaging(each, definitions))).toEqual([
    ...[true, true, true],
  ]);
  const reader = { reader: role(['workspace:read']) };
  expect(isManaging('reader', { ...definitions, roles: reader })).toBe(false);
});

test('resources of the service are reserved, including future ones', () => {
  for (const each of ['workspace:fly', 'member:x', 'join-link:x', 'role:x', 'api-key:x'])
    expect(isReservedPermission(each)).toBe(true);
  for (const each of ['invoice:read', 'workspaces:read', 'members:x'])
    expect(isReservedPermission(each)).toBe(false);
});

describe('the policy', () => {
  test('makes the permissions of admins grantable, except those of ownership', () => {
    for (const action of Object.keys(policy) as (keyof typeof policy)[])
      expect([action, isGrantable(action)]).toEqual([
        action,
        policy[action].admin === 'allow' && !action.startsWith('ownership:'),
      ]);
  });

  test('lets a role allow only what is forbidden to a member', () => {
    const held = new Set(Object.keys(policy));
    for (const action of Object.keys(policy) as (keyof typeof policy)[])
      for (const standing of ['member', 'invited', 'none'] as const) {
        const verdict = policy[action][standing];
        const opened = standing === 'member' && verdict === 'forbid' && isGrantable(action);
        expect(dependsOnRole(action)).toBe(
          policy[action].member === 'forbid' && isGrantable(action),
        );
        const code = opened || verdict === 'allow' ? undefined : verdict;
        const asked = () => allow(action, standing, held);
        if (code === undefined) expect(asked).not.toThrow();
        else expect(asked).toThrow(code === 'forbid' ? 'forbidden' : 'not_found');
        if (opened) expect(() => allow(action, standing, new Set())).toThrow('forbidden');
      }
  });
});

describe('a role that a project defines', () => {
  const pointersOf = (name: string, given: RoleDefinition) =>
    problemsOf(name, given, definitions).map(({ pointer }) => pointer);

  test.each([
    ['clerk', role(['invoice:read', 'event:list', 'workspace:read']), []],
    ['new', role(['invoice:read'], 'clerk', 'member', 'admin'), []],
    ['new', role(['invoice:gone', 'invoice:read', 'workspace:fly']), [0, 2]],
    ['new', role(['workspace:delete', 'workspace:restore', 'ownership:offer']), [0, 1, 2]],
    ['new', role(['ownership:end', 'ownership:accept', 'invitation:decline']), [0, 1, 2]],
    ['admin', role(['event:list', 'invoice:pay']), [0]],
    ['member', role(['workspace:read']), [0]],
  ] as const)('%s %j: wrong permissions %j', (name, given, wrong) => {
    expect(pointersOf(name, given)).toEqual(wrong.map((i) => `/body/permissions/${i}`));
  });

  test.each([
    ['new', ['ghost'], [0]],
    ['new', ['new'], [0]],
    ['clerk', ['accountant'], [0]],
    ['clerk', ['admin', 'chief'], [1]],
    ['accountant', ['clerk'], []],
    ['admin', ['clerk'], [0]],
    ['member', ['clerk'], [0]],
    ['new', ['owner'], [0]],
  ] as const)('%s that inherits from %j: wrong %j', (name, inherits, wrong) => {
    expect(pointersOf(name, role([], ...inherits))).toEqual(
      wrong.map((i) => `/body/inherits/${i}`),
    );
  });

  test.each(['owner', 'invited', 'none', 'project'])('cannot be named %s', (name) => {
    expect(pointersOf(name, role())).toEqual(['/path/role']);
  });

  test('cannot be larger than one read may be', () => {
    expect(problemOfSize(definitions)).toBeUndefined();
    const description = 'x'.repeat(64 * 1024);
    const permissions = { 'invoice:read': { description } };
    expect(problemOfSize({ ...definitions, permissions })).toMatchObject({ pointer: '/body' });
  });
});

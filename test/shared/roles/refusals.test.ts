import { describe, expect, test } from 'vitest';
import { ConditionFailed } from '#shared/db/change.ts';
import { keys } from '#shared/db/keys.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import type { ApiError } from '#shared/model/errors.ts';
import { limits } from '#shared/model/limits.ts';
import { defineOwnRole } from '#shared/roles/change-own-roles.ts';
import { deletePermission } from '#shared/roles/change-roles.ts';
import {
  type Definitions,
  noDefinitions,
  problemOfSize,
  problemsOf,
  toStored,
} from '#shared/roles/definitions.ts';
import {
  actingRoleUnchanged,
  assignedRolesUnchanged,
  ownRolesItem,
} from '#shared/roles/own-roles.ts';
import {
  type Principal,
  requireMayGive,
  requireMayGiveEach,
  requireMayManage,
  requirePermissions,
} from '#shared/roles/principal.ts';
import type { Roles } from '#shared/roles/stored.ts';
import { toPermission, toRole, toRoles } from '#shared/roles/views.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';

/** The exact stored and returned form of roles, and the exact error messages. */

const definitions: Definitions = {
  permissions: { 'invoice:read': {}, 'invoice:pay': {} },
  roles: {
    clerk: { permissions: ['invoice:read'] },
    chief: { name: 'Chief', permissions: ['invoice:read'], inherits: ['clerk'] },
    admin: { permissions: ['invoice:pay'] },
    member: { permissions: [] },
  },
};
const roles: Roles = { project_id: 'p', version: 'v', definitions };

describe('a refusal gives the reason for a role', () => {
  test.each([
    ['owner', [], [], 'Is a name that the service itself uses'],
    ['ws-x', [], [], "Must not begin with ws-, as the roles of a workspace's own do"],
    ['admin', ['event:list'], [], 'What this role may do in the service is fixed'],
    ['x', ['workspace:delete'], [], 'Is no permission of admins, or one that only admins can have'],
    ['x', ['gone:x'], [], 'Must be a permission of the project'],
    ['member', [], ['clerk'], 'This role inherits from none'],
    ['x', [], ['ghost'], 'Must be a role of the project'],
    ['clerk', [], ['chief'], 'Would inherit from itself'],
  ])(
    '%s with the permissions %j that inherits from %j: %s',
    (name, permissions, inherits, detail) => {
      expect(problemsOf(name, { permissions, inherits }, definitions)).toEqual([
        { pointer: expect.any(String), detail },
      ]);
    },
  );

  test('and for definitions that are one byte too large', () => {
    const sized = (description: string) => ({
      ...noDefinitions,
      permissions: { 'invoice:read': { description } },
    });
    const room = limits.roleDefinitions - JSON.stringify(sized('')).length;
    expect(problemOfSize(sized('x'.repeat(room)))).toBeUndefined();
    expect(problemOfSize(sized('x'.repeat(room + 1)))).toEqual({
      pointer: '/body',
      detail: `The roles and permissions of the project would have more than ${limits.roleDefinitions / 1_024} KiB`,
    });
  });

  test('and for a permission that roles have, with their names', () => {
    expect(() => deletePermission(roles, 'invoice:read')).toThrow(
      expect.objectContaining({ detail: 'The permission is held by: clerk, chief' }),
    );
  });
});

test('an omitted field of a role is not stored', () => {
  expect(toStored({ permissions: ['b:b', 'a:a', 'b:b'], inherits: [] })).toStrictEqual({
    permissions: ['a:a', 'b:b'],
  });
  const whole = { name: 'N', description: 'D', permissions: [], inherits: ['y', 'x', 'y'] };
  expect(toStored(whole)).toStrictEqual({ ...whole, inherits: ['x', 'y'] });
});

test('an omitted field is not shown, and every role is listed once', () => {
  expect(toPermission('invoice:read', {})).toStrictEqual({
    permission: 'invoice:read',
    built_in: false,
  });
  expect(toRole('chief', definitions)).toMatchObject({ role: 'chief', name: 'Chief' });
  expect(toRole('clerk', definitions)).not.toHaveProperty('name');
  expect(toRoles(definitions).map(({ role }) => role)).toEqual([
    ...['owner', 'admin', 'member', 'chief', 'clerk'],
  ]);
});

describe("roles of a workspace's own", () => {
  const own_roles = JSON.stringify({ 'ws-a': { permissions: [] } });
  const workspace = { workspace_id: 'w', own_roles } as WorkspaceItem;

  const define = (description: string) =>
    runInRequest('test', 1_000, (context) => {
      context.actor = { kind: 'service', id: 'test' };
      const place = { workspace, roles, principal: undefined };
      return defineOwnRole(place, 'ws-b', { description, permissions: [] });
    });

  test('are refused with 404 if the workspace was deleted in the meantime; another conflict is retried', async () => {
    const change = define('');
    const reasonOf = async (failed: object) =>
      ((await change.parts.instead(new ConditionFailed(failed))) as ApiError | undefined)?.reason;
    const gone = 'the workspace was deleted meanwhile';
    expect(await reasonOf({ workspace: null })).toBe(gone);
    expect(await reasonOf({ workspace: { deleted_at: '2026-01-01T00:00:00.000Z' } })).toBe(gone);
    expect(await reasonOf({ workspace: { own_roles: '{}' } })).toBeUndefined();
    expect(await reasonOf({ principal: null })).toBeUndefined();
  });

  test('need a caller who still manages at the commit, by the roles that were read', () => {
    const writesBy = (principal: Principal | undefined) =>
      runInRequest('test', 1_000, (context) => {
        context.actor = { kind: 'service', id: 'test' };
        const role = { permissions: [] };
        return defineOwnRole({ workspace, roles, principal }, 'ws-b', role).parts.writes;
      });
    const byMember = writesBy({ uid: 'u', standing: 'member', role: 'ws-a' });
    expect(Object.keys(byMember).toSorted()).toEqual(['principal', 'roles', 'workspace']);
    expect(byMember).toMatchObject({
      principal: { key: keys.member('w', 'u'), condition: { values: { manager_role: 'ws-a' } } },
      roles: { condition: { values: { roles_version: 'v' } } },
      workspace: { condition: { values: { read_own_roles: own_roles } } },
    });
    const byOwner = writesBy({ uid: 'o', standing: 'owner', role: 'admin' });
    expect(byOwner['workspace']).toMatchObject({ condition: { values: { acting_owner: 'o' } } });
    expect(Object.keys(writesBy(undefined))).toEqual(['workspace']);
  });

  test('are refused with the limit if they are too large', () => {
    let refusal: unknown;
    const sizeWith = (description: string) =>
      Buffer.byteLength(
        JSON.stringify({ 'ws-a': { permissions: [] }, 'ws-b': { permissions: [], description } }),
      );
    const most = 'x'.repeat(limits.ownRoles.bytes - sizeWith(''));
    define(most);
    try {
      define(`${most}x`);
    } catch (error) {
      refusal = error;
    }
    const detail = `The roles of the workspace would have more than ${limits.ownRoles.bytes / 1_024} KiB`;
    expect((refusal as ApiError).errors).toEqual([{ pointer: '/body', detail }]);
  });

  test('must be unchanged when one is given, with any other role', () => {
    const unchanged = (item: Pick<WorkspaceItem, 'own_roles'>, ...given: string[]) =>
      assignedRolesUnchanged(item, ...given).map(({ expression, values }) => [expression, values]);
    const same = [['#own_roles = :own_roles_given', { own_roles_given: own_roles }]];
    expect(unchanged(workspace, 'ws-a')).toEqual(same);
    expect(unchanged(workspace, 'member', 'ws-a', 'clerk')).toEqual(same);
    expect(unchanged({}, 'ws-a')).toEqual([
      ['attribute_not_exists(#own_roles)', expect.anything()],
    ]);
    expect(unchanged(workspace, 'member', 'clerk')).toEqual([]);
    expect(unchanged({}, 'member')).toEqual([]);
  });

  test('must be unchanged when the caller acts by one', () => {
    const withOwn = { ...roles, own_roles };
    const of = (role: string, known: Roles | undefined) =>
      actingRoleUnchanged({ role, roles: known }).map(({ values }) => values);
    expect(of('ws-a', withOwn)).toEqual([{ read_own_roles: own_roles }]);
    expect(of('clerk', withOwn)).toEqual([]);
    expect(of('ws-a', undefined)).toEqual([]);
    expect(actingRoleUnchanged(undefined)).toEqual([]);
  });

  test('are one item of the workspace for If-Match', () => {
    expect(ownRolesItem(workspace)).toEqual({
      ...{ pk: 'WS#w', sk: 'WS' },
      own_roles,
    });
  });
});

describe('an API key that is limited', () => {
  const key = { key_id: 'k', permissions: ['member:add', 'member:change-role'] };
  const ofWorkspace: Principal = { standing: 'admin', role: 'admin', key };
  const ofUser: Principal = { uid: 'u', standing: 'owner', role: 'admin', key };
  const whole: Principal = { standing: 'admin', role: 'admin', key: { key_id: 'k' } };
  const refused = (detail: string) => expect.objectContaining({ code: 'forbidden', detail });

  test('can give no role but member, alone or among others', () => {
    const only = refused('An API key that is limited to permissions gives no role but member');
    for (const by of [ofWorkspace, ofUser]) {
      for (const role of ['admin', 'clerk'])
        expect(() => requireMayGive(by, role, roles)).toThrow(only);
      const both = ['member', 'admin'].map((role) => ({ role, pointer: `/${role}` }));
      expect(() => requireMayGiveEach(by, both, roles)).toThrow(only);
      expect(() => requireMayGive(by, 'member', roles)).not.toThrow();
    }
    expect(() => requireMayGive(whole, 'admin', undefined)).not.toThrow();
  });

  test('of a workspace can change plain members only', () => {
    const change = (by: Principal, role: string) => () => requireMayManage(by, { role });
    for (const role of ['admin', 'clerk'])
      expect(change(ofWorkspace, role)).toThrow(
        refused('A limited API key manages plain members alone'),
      );
    expect(change(ofWorkspace, 'member')).not.toThrow();
    for (const by of [ofUser, whole]) expect(change(by, 'admin')).not.toThrow();
  });
});

test('a user who would give more than they have is refused with all that they lack', () => {
  const by = { uid: 'u', standing: 'member', role: 'clerk', roles } as const;
  expect(() => requirePermissions(by, ['invoice:pay', 'invoice:read', 'event:list'])).toThrow(
    expect.objectContaining({ detail: 'Your role lacks: invoice:pay, event:list' }),
  );
});

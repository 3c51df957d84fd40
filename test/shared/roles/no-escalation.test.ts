/** @module-tag proof */
import { describe, expect, test } from 'vitest';
import { runInRequest } from '#shared/db/request-context.ts';
import { type Action, allow, policy } from '#shared/model/policy.ts';
import { defineOwnRole, deleteOwnRole } from '#shared/roles/change-own-roles.ts';
import {
  type Definitions,
  grantedBy,
  permissionsOf,
  permissionsOfRole,
  type RoleDefinition,
} from '#shared/roles/definitions.ts';
import { withOwnRoles } from '#shared/roles/own-roles.ts';
import {
  isAssignable,
  mayGiveByLink,
  type Principal,
  requireMayGive,
  requireMayManage,
} from '#shared/roles/principal.ts';
import type { Roles } from '#shared/roles/stored.ts';
import type { WorkspaceItem } from '#shared/workspaces/items.ts';

/** For all role definitions: nobody assigns or changes more permissions than they have. */

/** A sequence of numbers below 1, the same for the same seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const actions = Object.keys(policy) as Action[];
/** Independent of the code: the actions of admins that other roles may get. */
const ofAdmins = actions.filter(
  (action) => policy[action].admin === 'allow' && !action.startsWith('ownership:'),
);
const own = ['invoice:read', 'invoice:pay', 'report:read', 'report:write', 'key:turn'];
const names = ['a', 'b', 'c', 'd', 'e'];
/** Custom roles of a workspace. */
const ownNames = ['ws-a', 'ws-b'];
const givable = [...names, ...ownNames, 'admin', 'member'];

/** Random roles, which may inherit in cycles, refer to deleted roles, or have permissions that no role may have. */
function randomRoles(random: () => number): Roles {
  const some = <T>(all: readonly T[], share: number) => all.filter(() => random() < share);
  const role = (): RoleDefinition => ({
    permissions: [...some(ofAdmins, 0.3), ...some(own, 0.4), ...some(actions, 0.05), 'gone:x'],
    inherits: some([...names, 'admin', 'ghost'], 0.15),
  });
  const definitions: Definitions = {
    permissions: Object.fromEntries(some(own, 0.9).map((each) => [each, {}])),
    roles: {
      ...Object.fromEntries(names.map((name) => [name, role()])),
      admin: { permissions: some(own, 0.4) },
      member: { permissions: some(own, 0.15) },
    },
  };
  const roles: Roles = { project_id: 'p', version: 'v', definitions };
  const ownRoles = ownNames.map((name) => [name, { permissions: role().permissions }]);
  return withOwnRoles(roles, { own_roles: JSON.stringify(Object.fromEntries(ownRoles)) });
}

/** The permissions of a role, computed over all roles until nothing is added. */
function oracle(role: string, { definitions }: Roles): Set<string> {
  const { roles, permissions } = definitions;
  const reached = new Set(['member', role]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const each of [...reached])
      for (const other of roles[each]?.inherits ?? []) reached.add(other);
  }
  const all = [...reached].flatMap((each) => [
    ...(roles[each]?.permissions ?? []),
    ...(each === 'admin' ? ofAdmins : []),
  ]);
  const isKnown = (each: string) => each in permissions || (ofAdmins as string[]).includes(each);
  return new Set(all.filter(isKnown));
}

const managerOf = (role: string, roles: Roles): Principal =>
  role === 'admin'
    ? { uid: 'u', standing: 'admin', role }
    : { uid: 'u', standing: 'member', role, ...(role !== 'member' && { roles }) };
/** Most cells throw an error. Their unused stack traces would take a quarter of the time. */
const isRefused = (work: () => void): boolean => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
    return false;
  } catch {
    return true;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};
/** Whether any role can have it. */
const oracleHolds = (permission: string, { definitions }: Roles): boolean =>
  permission in definitions.permissions || (ofAdmins as string[]).includes(permission);
/** Changes run in a request, whose actor is recorded in their events. */
const inRequest = <T>(work: () => T): T =>
  runInRequest('test', 1_000, (context) => {
    context.actor = { kind: 'service', id: 'test' };
    return work();
  });
const isWithin = (less: Set<string>, more: Set<string>) =>
  [...less].every((each) => more.has(each));
const sets = Array.from({ length: 400 }, (_, seed) => randomRoles(randomOf(seed)));

describe('over 400 random sets of roles', () => {
  test('a role has the permissions of its definition, and no other', () => {
    for (const roles of sets)
      for (const role of [...givable, 'ghost'])
        expect([...grantedBy(role, roles.definitions)].toSorted()).toEqual(
          [...oracle(role, roles)].toSorted(),
        );
  });

  test('in 70,000 cells: the policy decides, or the role where the policy forbids a member', () => {
    let cells = 0;
    const standings = ['member', 'invited', 'none'] as const;
    for (const roles of sets)
      for (const role of givable.filter((each) => each !== 'admin')) {
        const granted = grantedBy(role, roles.definitions);
        const holds = oracle(role, roles);
        const expected = (action: Action) => {
          const { member, invited, none } = policy[action];
          const may = member === 'allow' || (member === 'forbid' && holds.has(action));
          return [action, !may, invited !== 'allow', none !== 'allow'];
        };
        const refused = (action: Action) => [
          action,
          ...standings.map((standing) => isRefused(() => allow(action, standing, granted))),
        ];
        expect(actions.map(refused)).toEqual(actions.map(expected));
        cells += actions.length;
      }
    expect(cells).toBeGreaterThan(70_000);
  });

  test('a user can give a role only if they have all its permissions and may change roles', () => {
    let [given, refused] = [0, 0];
    for (const roles of sets)
      for (const by of givable)
        for (const role of givable.filter((each) => each !== 'member')) {
          const principal = managerOf(by, roles);
          const held = permissionsOfRole(by, roles.definitions);
          const may =
            held.has('member:change-role') &&
            isWithin(permissionsOfRole(role, roles.definitions), held);
          const wasGiven = !isRefused(() => requireMayGive(principal, role, roles));
          expect([by, role, wasGiven]).toEqual([by, role, may]);
          // A link grants no more than its creator could, and only the owner's links grant management permissions.
          const byLink = mayGiveByLink(principal, role, roles);
          const manages = [...oracle(role, roles)].some(
            (each) =>
              /^(?!invoice|report|key)/.test(each) &&
              ![
                'workspace:read',
                'member:read',
                'member:list-accepted',
                'member:leave',
                'role:list',
              ].includes(each),
          );
          expect([role, byLink]).toEqual([role, may && role !== 'admin' && !manages]);
          if (isAssignable(principal, role, roles)) expect(wasGiven).toBe(true);
          if (wasGiven) given += 1;
          else refused += 1;
        }
    expect(given).toBeGreaterThan(400);
    expect(refused).toBeGreaterThan(400);
  });

  test('the role member grants nothing that another role lacks', () => {
    for (const roles of sets) {
      const base = permissionsOfRole('member', roles.definitions);
      for (const role of [...givable, 'ghost'])
        expect(isWithin(base, permissionsOfRole(role, roles.definitions))).toBe(true);
    }
  });

  test('a user with a role of the project can change only members who have no more permissions', () => {
    for (const roles of sets)
      for (const by of [...names, ...ownNames])
        for (const role of [...givable, 'ghost']) {
          const principal = managerOf(by, roles);
          const may = isWithin(
            permissionsOfRole(role, roles.definitions),
            permissionsOfRole(by, roles.definitions),
          );
          expect(isRefused(() => requireMayManage(principal, { role }))).toBe(!may);
        }
  });

  test("a user can define or delete a workspace's role only with its permissions, before and after", () => {
    let [done, refused] = [0, 0];
    for (const [seed, roles] of sets.entries()) {
      const random = randomOf(seed + 1_000);
      const workspace = { workspace_id: 'w', own_roles: roles.own_roles } as WorkspaceItem;
      const place = (principal: Principal | undefined) => ({ workspace, roles, principal });
      const wanted = [...ofAdmins, ...own].filter(() => random() < 0.15);
      const defined = wanted.filter((each) => oracleHolds(each, roles));
      for (const by of givable) {
        const held = permissionsOfRole(by, roles.definitions);
        const isHeld = (role: string) => isWithin(permissionsOfRole(role, roles.definitions), held);
        for (const role of [...ownNames, 'ws-new']) {
          const may =
            (role === 'ws-new' || isHeld(role)) && defined.every((each) => held.has(each));
          const principal = managerOf(by, roles);
          const isDefined = !isRefused(() =>
            inRequest(() => defineOwnRole(place(principal), role, { permissions: wanted })),
          );
          expect([by, role, isDefined]).toEqual([by, role, may]);
          if (isDefined) done += 1;
          else refused += 1;
          if (role === 'ws-new') continue;
          const isDeleted = !isRefused(() =>
            inRequest(() => deleteOwnRole(place(principal), role)),
          );
          expect([by, role, isDeleted]).toEqual([by, role, isHeld(role)]);
        }
      }
      const owner: Principal = { uid: 'u', standing: 'owner', role: 'admin' };
      for (const by of [owner, undefined])
        inRequest(() => defineOwnRole(place(by), 'ws-a', { permissions: wanted }));
    }
    expect(done).toBeGreaterThan(400);
    expect(refused).toBeGreaterThan(400);
  });

  test('owners and backends can give every existing role, and no unknown one', () => {
    for (const roles of sets.slice(0, 50)) {
      const owner: Principal = { uid: 'u', standing: 'owner', role: 'admin' };
      for (const by of [owner, undefined]) {
        for (const role of givable)
          expect(isRefused(() => requireMayGive(by, role, roles))).toBe(false);
        expect(isRefused(() => requireMayGive(by, 'ghost', roles))).toBe(true);
      }
      const all = permissionsOf('owner', 'admin', roles.definitions);
      for (const each of Object.keys(roles.definitions.permissions)) expect(all).toContain(each);
    }
  });
});

import { describe, expect, test } from 'vitest';
import {
  type Definitions,
  grantedBy,
  permissionsOf,
  permissionsOfRole,
  type RoleDefinition,
} from '#shared/roles/definitions.ts';
import {
  isAssignable,
  type Manager,
  mayGiveByLink,
  requireMayGive,
  requireMayManage,
} from '#shared/roles/manager.ts';
import type { Roles } from '#shared/roles/stored.ts';
import type { MemberItem } from '#shared/workspaces/items.ts';
import { type Action, allow, policy } from '#shared/workspaces/policy.ts';

/** Whatever roles a project defines: nobody gives or changes more than they hold. */

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
/** In its own words, not those of the code: what admins may do and another may be given. */
const ofAdmins = actions.filter(
  (action) => policy[action].admin === 'allow' && !action.startsWith('ownership:'),
);
const own = ['invoice:read', 'invoice:pay', 'report:read', 'report:write', 'key:turn'];
const names = ['a', 'b', 'c', 'd', 'e'];
const givable = [...names, 'admin', 'member'];

/** Roles at random, which may inherit in circles, name what is gone, or hold what no role may. */
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
  return { project_id: 'p', version: 'v', definitions };
}

/** What a role holds, by going through the roles until nothing is added. */
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

const managerOf = (role: string, roles: Roles): Manager =>
  role === 'admin'
    ? { uid: 'u', standing: 'admin', role }
    : { uid: 'u', standing: 'member', role, ...(role !== 'member' && { roles }) };
const isRefused = (work: () => void): boolean => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};
const isWithin = (less: Set<string>, more: Set<string>) =>
  [...less].every((each) => more.has(each));
const sets = Array.from({ length: 400 }, (_, seed) => randomRoles(randomOf(seed)));

describe('over 400 random sets of roles', () => {
  test('a role holds what follows from its definition, and nothing else', () => {
    for (const roles of sets)
      for (const role of [...givable, 'ghost'])
        expect([...grantedBy(role, roles.definitions)].toSorted()).toEqual(
          [...oracle(role, roles)].toSorted(),
        );
  });

  test('over 70,000 cells: the table, or the role where the table says 403 to a member', () => {
    let cells = 0;
    for (const roles of sets)
      for (const role of givable.filter((each) => each !== 'admin')) {
        const granted = grantedBy(role, roles.definitions);
        for (const action of actions) {
          const verdict = policy[action].member;
          const expected =
            verdict === 'allow' || (verdict === 'forbid' && oracle(role, roles).has(action));
          expect([action, isRefused(() => allow(action, 'member', granted))]).toEqual([
            ...[action, !expected],
          ]);
          for (const standing of ['invited', 'none'] as const)
            expect(isRefused(() => allow(action, standing, granted))).toBe(
              policy[action][standing] !== 'allow',
            );
          cells += 1;
        }
      }
    expect(cells).toBeGreaterThan(70_000);
  });

  test('who gives a role holds all of it, and may change roles; who may not is refused', () => {
    let [given, refused] = [0, 0];
    for (const roles of sets)
      for (const by of givable)
        for (const role of givable.filter((each) => each !== 'member')) {
          const manager = managerOf(by, roles);
          const held = permissionsOfRole(by, roles.definitions);
          const may =
            held.has('member:change-role') &&
            isWithin(permissionsOfRole(role, roles.definitions), held);
          const wasGiven = !isRefused(() => requireMayGive(manager, role, roles));
          expect([by, role, wasGiven]).toEqual([by, role, may]);
          // A link gives no more than its maker does, and nobody but the owner gives what manages by one.
          const byLink = mayGiveByLink(manager, role, roles);
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
          if (isAssignable(manager, role, roles)) expect(wasGiven).toBe(true);
          if (wasGiven) given += 1;
          else refused += 1;
        }
    expect(given).toBeGreaterThan(400);
    expect(refused).toBeGreaterThan(400);
  });

  test('the role member gives nobody anything: everybody holds what it holds', () => {
    for (const roles of sets) {
      const base = permissionsOfRole('member', roles.definitions);
      for (const role of [...givable, 'ghost'])
        expect(isWithin(base, permissionsOfRole(role, roles.definitions))).toBe(true);
    }
  });

  test('whoever has a role of the project changes only who may do no more', () => {
    for (const roles of sets)
      for (const by of names)
        for (const role of [...givable, 'ghost']) {
          const manager = managerOf(by, roles);
          const may = isWithin(
            permissionsOfRole(role, roles.definitions),
            permissionsOfRole(by, roles.definitions),
          );
          expect(isRefused(() => requireMayManage(manager, { role } as MemberItem))).toBe(!may);
        }
  });

  test('owners and backends give everything that there is, and nothing that there is not', () => {
    for (const roles of sets.slice(0, 50)) {
      const owner: Manager = { uid: 'u', standing: 'owner', role: 'admin' };
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

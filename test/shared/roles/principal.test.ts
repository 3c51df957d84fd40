import { describe, expect, test } from 'vitest';
import { rolesVersionSortKey } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import { type Definitions, noDefinitions } from '#shared/roles/definitions.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const {
  countedAs,
  getRolesToGive,
  isAssignable,
  isAssignableByLink,
  requireMayGive,
  requireMayGiveEach,
} = await import('#shared/roles/principal.ts');

const definitions: Definitions = { ...noDefinitions, roles: { clerk: { permissions: [] } } };
const roles = { project_id: 'p', version: 'v', definitions };

describe('a role is offered to a user with any permission to give it', () => {
  test.each([
    ['member:add', true],
    ['member:change-role', true],
    ['invitation:create', true],
    ['join-request:approve', true],
    ['join-link:create', true],
    ['workspace:update', false],
  ])('%s: %s', (permission, isOffered) => {
    const held = { ...definitions.roles, host: { permissions: [permission] } };
    const known = { ...roles, definitions: { ...definitions, roles: held } };
    const host = { standing: 'member', uid: 'ada', role: 'host', roles: known } as const;
    expect(isAssignable(host, 'member', known)).toBe(isOffered);
  });
});

test('a backend may give every role, by a link too', () => {
  expect(isAssignable(undefined, 'clerk', roles)).toBe(true);
  expect(isAssignableByLink(undefined, 'clerk', roles)).toBe(true);
});

test('an unknown role is refused with the reason', () => {
  const errors = [
    { pointer: '/body/role', detail: 'Must be a role of the project or of the workspace' },
  ];
  expect(() => requireMayGive(undefined, 'ghost', roles)).toThrow(
    expect.objectContaining({ code: 'invalid_request', errors }),
  );
});

test('a plain member cannot give the role admin', () => {
  const plain = { standing: 'member', uid: 'ada', role: 'member' } as const;
  expect(() => requireMayGive(plain, 'admin', undefined)).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      members: { missing: ['member:change-role'] },
    }),
  );
});

test('a user who gives several roles is refused with all missing permissions, once each and in order', () => {
  const held = {
    host: { permissions: ['member:change-role'] },
    clerk: { permissions: ['invoice:read', 'invoice:pay'] },
    cook: { permissions: ['invoice:read', 'dish:list'] },
  };
  const permissions = { 'invoice:read': {}, 'invoice:pay': {}, 'dish:list': {} };
  const known = { ...roles, definitions: { permissions, roles: held } };
  const host = { standing: 'member', uid: 'ada', role: 'host', roles: known } as const;
  const given = ['clerk', 'cook'].map((role) => ({ role, pointer: '' }));
  expect(() => requireMayGiveEach(host, given, known)).toThrow(
    expect.objectContaining({
      members: { missing: ['dish:list', 'invoice:pay', 'invoice:read'] },
    }),
  );
});

test('a user is counted by uid, the keys of a workspace together', () => {
  const workspace = { workspace_id: 'w' };
  expect(countedAs({ standing: 'admin', role: 'admin', uid: 'ada' }, workspace)).toBe('ada');
  const key = { key_id: 'k' };
  expect(countedAs({ standing: 'admin', role: 'admin', key }, workspace)).toBe('w');
});

describe('for roles that are given together', () => {
  const project_id = 'manager-roles';
  const own_roles = JSON.stringify({ 'ws-host': { permissions: [] } });
  const give = (...given: string[]) => request(() => getRolesToGive(project_id, 'w', ...given));
  const namesOf = async (...given: string[]) =>
    Object.keys((await give(...given))?.definitions.roles ?? {}).toSorted();

  test("definitions are read if one of them is the project's, and those of the workspace if one is its own", async () => {
    const version = { project_id, version: 'v' };
    await faults.seed([
      { ...keys.roles(project_id, rolesVersionSortKey), ...version },
      { ...keys.roles(project_id), ...version, definitions: JSON.stringify(definitions) },
      { ...keys.workspace('w'), workspace_id: 'w', project_id, own_roles },
    ]);
    expect(await give('member', 'admin')).toBeUndefined();
    expect(await namesOf('member', 'clerk')).toEqual(['clerk']);
    expect(await namesOf('clerk', 'ws-host')).toEqual(['clerk', 'ws-host']);
  });
});

/** @module-tag engine */
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProjectCaller, UserKeyCaller, WorkspaceKeyCaller } from '#shared/access/caller.ts';
import { rolesVersionSortKey } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import type { ApiError } from '#shared/model/errors.ts';
import type { Action } from '#shared/model/policy.ts';
import { authorize, requireListing } from '#shared/workspaces/authorize.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

/** Permissions of API keys, permissions that a defined role adds, and callers that need a second factor. */

const [here, strict] = ['wid-here', 'wid-strict'];
const before = '2026-01-01T00:00:00.000Z';
const workspace = (workspace_id: string, more: object) => ({
  ...keys.workspace(workspace_id),
  ...{ workspace_id, project_id: 'demo', owner_id: 'owner', owner_email: 'owner@example.com' },
  ...more,
});
const member = (uid: string, role: string, of = here, more: object = {}) => ({
  ...keys.member(of, uid),
  ...{
    user_id: uid,
    project_id: 'demo',
    role,
    profile: JSON.stringify({ email: `${uid}@example.com` }),
  },
  ...more,
});
const roles = { namer: { permissions: ['workspace:update'] }, reader: { permissions: [] } };
const own = { 'ws-namer': { permissions: ['workspace:update'] } };
const ofProject = { project_id: 'demo', version: 'v' };

const faults = await openFaultyTable();
beforeAll(async () => {
  await faults.seed([
    workspace(here, { own_roles: JSON.stringify(own) }),
    workspace(strict, { mfa_required_at: before }),
    ...['owner', 'admin'].map((uid) => member(uid, 'admin')),
    ...['namer', 'reader', 'ws-namer', 'ghost', 'member'].map((role) => member(role, role)),
    ...['owner', 'admin'].map((uid) => member(uid, 'admin', strict)),
    member('suspended', 'admin', strict, { suspended_at: before }),
    { ...keys.roles('demo', rolesVersionSortKey), ...ofProject },
    {
      ...{ ...keys.roles('demo'), ...ofProject },
      definitions: JSON.stringify({ permissions: {}, roles }),
    },
  ]);
});

const project = { project_id: 'demo', project: { project_id: 'demo' } };
const backend = { ...project, kind: 'project', secret_id: 'x' } as ProjectCaller;
const ofWorkspace = (role: 'admin' | 'member', permissions?: string[]): WorkspaceKeyCaller =>
  ({
    ...project,
    kind: 'workspace',
    workspace_id: here,
    role,
    key: { key_id: 'k', permissions },
  }) as WorkspaceKeyCaller;
const ofUser = (uid: string, key: object = { second_factor: true }): UserKeyCaller =>
  ({ ...project, kind: 'person', uid, key: { key_id: 'k', ...key } }) as UserKeyCaller;

const may = (caller: Parameters<typeof authorize>[0], action: Action, id = here) =>
  request(() => authorize(caller, action, id));
const refusal = (caller: Parameters<typeof authorize>[0], action: Action, id = here) =>
  may(caller, action, id).then(
    () => 'allowed',
    ({ code }: ApiError) => code,
  );
const detailOf = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    ({ code, detail }: ApiError) => [code, detail],
  );

describe('a key of a workspace', () => {
  test("acts with its role, as the owner's inviter, and is a principal whose change can be refused", async () => {
    const admin = await may(ofWorkspace('admin'), 'workspace:update');
    expect(admin).toMatchObject({
      ...{ reader: { seesAll: true }, singleFactor: false },
      inviter: { uid: 'owner', email: 'owner@example.com' },
      principal: { standing: 'admin', role: 'admin', key: { key_id: 'k' } },
    });
    expect(await may(ofWorkspace('member'), 'workspace:read')).toMatchObject({
      reader: { seesAll: false },
      principal: { standing: 'member', role: 'member' },
    });
    expect(await refusal(ofWorkspace('member'), 'workspace:update')).toBe('forbidden');
    expect(await refusal(ofWorkspace('admin'), 'workspace:delete')).toBe('forbidden');
    expect(admin.reader).toEqual({ seesAll: true });
    expect(admin.principal?.uid).toBeUndefined();
  });

  test('does not find another workspace', async () => {
    for (const role of ['admin', 'member'] as const)
      expect(await refusal(ofWorkspace(role), 'workspace:read', strict)).toBe('not_found');
  });

  test('that is limited may do what its list says, and sees what a member sees', async () => {
    const limited = ofWorkspace('admin', ['workspace:update']);
    expect(await may(limited, 'workspace:update')).toMatchObject({
      reader: { seesAll: false },
      principal: { standing: 'admin' },
    });
    expect(await detailOf(may(limited, 'workspace:read'))).toEqual([
      ...['forbidden', 'The API key lacks the permission workspace:read'],
    ]);
    // A key's list of permissions adds nothing to the role's permissions.
    const plain = ofWorkspace('member', ['workspace:update']);
    expect(await refusal(plain, 'workspace:update')).toBe('forbidden');
  });
});

test('a backend has no principal whose change could be refused', async () => {
  const { reader, principal } = await may(backend, 'workspace:update');
  expect([reader, principal]).toEqual([{ seesAll: true }, undefined]);
});

describe('a key of a user', () => {
  test('acts as its user, whose membership and key must still be valid at the commit', async () => {
    const { principal, inviter } = await may(ofUser('admin'), 'workspace:update');
    expect(inviter).toEqual({ uid: 'admin', email: 'admin@example.com' });
    expect(principal).toEqual({
      ...{ uid: 'admin', standing: 'admin', role: 'admin', roles: undefined },
      key: { key_id: 'k', second_factor: true },
    });
  });

  test('that is limited may do what its list says', async () => {
    const limited = ofUser('admin', { permissions: ['workspace:read'] });
    expect(await refusal(limited, 'workspace:read')).toBe('allowed');
    expect(await detailOf(may(limited, 'workspace:update'))).toEqual([
      ...['forbidden', 'The API key lacks the permission workspace:update'],
    ]);
  });

  test('lists workspaces if it has workspace:read', () => {
    const listing = (permissions?: string[]) => () =>
      requireListing({ key: { key_id: 'k', permissions } });
    expect(listing()).not.toThrow();
    expect(() => requireListing({})).not.toThrow();
    expect(listing(['workspace:read'])).not.toThrow();
    expect(listing(['event:list'])).toThrow(
      expect.objectContaining({
        detail: 'The API key lacks the permission workspace:read',
      }),
    );
  });
});

describe('a role that the project or the workspace defines', () => {
  test('adds its permissions, and its definition is returned for the check at the commit', async () => {
    for (const uid of ['ws-namer', 'namer']) {
      const { reader, principal } = await may(ofUser(uid), 'workspace:update');
      expect(reader).toEqual({ uid, seesAll: false });
      expect([principal?.standing, principal?.role]).toEqual(['member', uid]);
      expect(Object.keys(principal?.roles?.definitions.roles ?? {})).toEqual([
        ...['namer', 'reader', 'ws-namer'],
      ]);
    }
    for (const uid of ['reader', 'ghost', 'member'])
      expect(await refusal(ofUser(uid), 'workspace:update')).toBe('forbidden');
  });

  test('is not read for actions of every member, nor for built-in roles', async () => {
    expect((await may(ofUser('namer'), 'workspace:read')).principal?.roles).toBeUndefined();
    expect((await may(ofUser('admin'), 'workspace:update')).principal?.roles).toBeUndefined();
    expect(await refusal(ofUser('namer'), 'ownership:accept')).toBe('forbidden');
  });
});

describe('in a workspace that requires a second factor', () => {
  const single = (uid: string) => ofUser(uid, {});

  test('a caller without one may only leave', async () => {
    expect(await refusal(single('admin'), 'workspace:read', strict)).toBe('mfa_required');
    expect(await refusal(single('admin'), 'workspace:delete', strict)).toBe('mfa_required');
    expect(await refusal(single('admin'), 'member:leave', strict)).toBe('allowed');
    expect(await refusal(ofUser('admin'), 'workspace:read', strict)).toBe('allowed');
    expect(await refusal(single('admin'), 'workspace:read')).toBe('allowed');
    expect((await may(single('admin'), 'workspace:read')).singleFactor).toBe(true);
  });

  test('a hidden resource stays hidden, and a suspended member finds nothing', async () => {
    expect(await refusal(single('owner'), 'ownership:accept', strict)).toBe('not_found');
    expect(await refusal(single('suspended'), 'workspace:read', strict)).toBe('not_found');
    expect(await refusal(single('nobody'), 'workspace:read', strict)).toBe('not_found');
  });
});

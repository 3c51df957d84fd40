/** @module-tag engine */
import { beforeAll, describe, expect, test } from 'vitest';
import type { PersonCaller, ProjectCaller } from '#shared/access/caller.ts';
import { keys } from '#shared/db/keys.ts';
import type { Action } from '#shared/model/policy.ts';
import { authorize } from '#shared/workspaces/authorize.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const here = 'wid-here';
const gone = 'wid-gone';
const workspace = {
  ...keys.workspace(here),
  workspace_id: here,
  project_id: 'demo',
  owner_id: 'owner',
  owner_email: 'owner@example.com',
};
const deleted = { ...workspace, ...keys.workspace(gone), deleted_at: '2026-01-01T00:00:00.000Z' };
const member = (uid: string, more: object = {}, of = here) => ({
  ...keys.member(of, uid),
  user_id: uid,
  role: 'admin',
  profile: JSON.stringify({ email: `${uid}@example.com` }),
  ...more,
});

const faults = await openFaultyTable();
beforeAll(async () => {
  await faults.seed([
    ...[workspace, deleted],
    ...[member('owner'), member('admin'), member('member', { role: 'member' })],
    // An owner cannot be suspended; if one were, they could do nothing.
    member('suspended', { suspended_at: '2026-01-01T00:00:00.000Z' }),
    { ...member('invited'), ...keys.invitation(here, 'invited') },
    member('owner', {}, gone),
  ]);
});

const project = { project_id: 'demo', project: { project_id: 'demo' } };
const backend = { ...project, kind: 'project', secret_id: 'x' } as ProjectCaller;
const otherBackEnd: ProjectCaller = { ...backend, project_id: 'other' };
const person = (uid: string, project_id = 'demo') =>
  ({
    ...{ ...project, project_id, kind: 'person', uid, session_id: 's' },
    claimed: { email: '', email_verified: false },
  }) as PersonCaller;

const codeOf = (error: unknown) => (error as { code?: string }).code ?? String(error);
/** The principal as which the caller may act, or the error code. */
const actingAs = (caller: ProjectCaller | PersonCaller, action: Action, id = here) =>
  request(() =>
    authorize(caller, action, id).then(
      ({ workspace: found, inviter }) => [found.workspace_id, inviter.uid, inviter.email],
      codeOf,
    ),
  );

const as = (uid: string) => [here, uid, `${uid}@example.com`];

describe('a user acts with their current standing in the workspace', () => {
  test.each([
    ['owner', 'workspace:delete', as('owner')],
    ['admin', 'workspace:delete', 'forbidden'],
    ['owner', 'ownership:accept', 'not_found'],
    ['admin', 'ownership:accept', as('admin')],
    ['admin', 'workspace:update', as('admin')],
    ['member', 'workspace:update', 'forbidden'],
    ['member', 'workspace:read', as('member')],
    ['suspended', 'workspace:read', 'not_found'],
    ['invited', 'workspace:read', 'not_found'],
    ['nobody', 'workspace:read', 'not_found'],
  ] as const)('%s, %s: %s', async (uid, action, expected) => {
    expect(await actingAs(person(uid), action)).toEqual(expected);
  });

  test('and finds nothing in another project or a deleted workspace', async () => {
    expect(await actingAs(person('owner', 'other'), 'workspace:read')).toBe('not_found');
    expect(await actingAs(person('owner'), 'workspace:read', gone)).toBe('not_found');
  });

  test('with two reads in one round trip', async () => {
    await actingAs(person('admin'), 'workspace:read');
    expect(faults.operations()).toEqual(['BatchGetItem']);
  });
});

describe("a project's backend acts as the owner", () => {
  test('with one read', async () => {
    expect(await actingAs(backend, 'workspace:delete')).toEqual(as('owner'));
    expect(faults.operations()).toEqual(['GetItem']);
  });

  test('except to accept the ownership, or in another project or a deleted workspace', async () => {
    expect(await actingAs(backend, 'ownership:accept')).toBe('not_found');
    expect(await actingAs(otherBackEnd, 'workspace:read')).toBe('not_found');
    expect(await actingAs(backend, 'workspace:read', gone)).toBe('not_found');
  });
});

test('authorize can find the workspace by another function', async () => {
  const find = () => Promise.resolve({ ...deleted, workspace_id: gone } as never);
  const { workspace: found } = await request(() =>
    authorize(person('owner'), 'workspace:restore', gone, find),
  );
  expect(found.workspace_id).toBe(gone);
});

describe('a caller sees', () => {
  const reader = (caller: Parameters<typeof authorize>[0]) =>
    request(() => authorize(caller, 'workspace:read', here)).then((found) => found.reader);

  test('all of each member, as the owner, an admin or the backend', async () => {
    expect(await reader(person('owner'))).toEqual({ uid: 'owner', seesAll: true });
    expect(await reader(person('admin'))).toEqual({ uid: 'admin', seesAll: true });
    // Regardless of other properties of a backend caller.
    const posing = { ...backend, uid: 'admin' } as ProjectCaller;
    expect(await reader(posing)).toEqual({ seesAll: true });
  });

  test('only their own details, as a plain member', async () => {
    expect(await reader(person('member'))).toEqual({ uid: 'member', seesAll: false });
  });
});

/** @module-tag engine */
import { beforeAll, expect, test } from 'vitest';
import type { PersonCaller, ProjectCaller } from '#shared/access/caller.ts';
import { keys } from '#shared/db/keys.ts';
import { authorizeLog } from '#shared/events/authorize-log.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const idOf = (name: string) => `wid-${name}`;
const workspace = (name: string, project_id = 'demo', more: object = {}) => ({
  ...{ ...keys.workspace(idOf(name)), workspace_id: idOf(name), project_id, owner_id: 'owner' },
  ...more,
});
const head = (name: string, project_id = 'demo') => ({
  ...keys.logHead(keys.workspace(idOf(name)).pk),
  project_id,
});
const member = (name: string, uid: string, role: string) => ({
  ...keys.member(idOf(name), uid),
  ...{ user_id: uid, role, profile: JSON.stringify({ email: '' }) },
});

const faults = await openFaultyTable();
beforeAll(async () => {
  const deleted_at = '2026-01-01T00:00:00.000Z';
  await faults.seed([
    ...[workspace('new'), workspace('logged'), head('logged'), head('purged')],
    ...[workspace('deleted', 'demo', { deleted_at }), head('deleted')],
    ...[workspace('foreign', 'other'), head('foreign-purged', 'other')],
    // For a workspace that belongs to another project now, the item's project counts.
    ...[workspace('moved', 'other'), head('moved')],
    ...[member('logged', 'owner', 'admin'), member('logged', 'member', 'member')],
    member('deleted', 'owner', 'admin'),
  ]);
});

const backend = { kind: 'project', project_id: 'demo' } as ProjectCaller;
const person = (uid: string) => ({ kind: 'person', project_id: 'demo', uid }) as PersonCaller;
const outcome = (caller: ProjectCaller | PersonCaller, name: string) =>
  request(() =>
    authorizeLog(caller, idOf(name)).then(
      () => 'may',
      (error: { code?: string }) => error.code,
    ),
  );

test.each([
  ['new', 'may'],
  ['logged', 'may'],
  ['deleted', 'may'],
  ['purged', 'may'],
  ['foreign', 'not_found'],
  ['foreign-purged', 'not_found'],
  ['moved', 'not_found'],
  ['missing', 'not_found'],
])('a backend, for a workspace that is %s: %s', async (name, expected) => {
  expect(await outcome(backend, name)).toBe(expected);
});

test.each([
  ['owner', 'logged', 'may'],
  ['member', 'logged', 'forbidden'],
  ['nobody', 'logged', 'not_found'],
  ['owner', 'deleted', 'not_found'],
  ['owner', 'purged', 'not_found'],
  ['owner', 'missing', 'not_found'],
])('%s, for a workspace that is %s: %s', async (uid, name, expected) => {
  expect(await outcome(person(uid), name)).toBe(expected);
});

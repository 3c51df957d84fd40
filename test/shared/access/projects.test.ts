/** @module-tag engine */
import { beforeEach, expect, test } from 'vitest';
import {
  allowsImpersonation,
  clientsOf,
  getProject,
  type Project,
} from '#shared/access/projects.ts';
import { exists } from '#shared/db/condition.ts';
import { keys } from '#shared/db/keys.ts';
import { updateItem } from '#shared/db/transaction.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { pass } from '../../support/started.ts';

// The clock advances from test to test, so that cached entries expire.
pass(0);
const faults = await openFaultyTable();
const nameOf = (id: string) => request(async () => (await getProject(id))?.['name']);

beforeEach(() => pass(3_600_000));

test('a project is read once a minute, and a change is visible after that', async () => {
  await faults.seed([{ ...keys.project('demo'), name: 'before' }]);
  expect(await nameOf('demo')).toBe('before');
  await request(() => updateItem(keys.project('demo'), { set: { name: 'after' } }, exists));
  faults.reset();
  pass(59_000);
  expect(await nameOf('demo')).toBe('before');
  expect(faults.calls).toHaveLength(0);
  pass(1_000);
  expect(await nameOf('demo')).toBe('after');
  expect(faults.calls).toHaveLength(1);
});

test('an unknown project is cached like a known one', async () => {
  for (let i = 0; i < 3; i += 1) expect(await nameOf('nobody')).toBeUndefined();
  expect(faults.calls).toHaveLength(1);
});

test('invented ids do not fill the cache: the oldest entry is removed', async () => {
  await nameOf('first');
  await request(() =>
    Promise.all(Array.from({ length: 999 }, (_, i) => getProject(`invented-${i}`))),
  );
  faults.reset();
  await nameOf('first');
  expect(faults.calls).toHaveLength(0);
  await nameOf('one-more');
  await nameOf('first');
  expect(faults.calls).toHaveLength(2);
});

test.each([
  [undefined, undefined, false],
  ['off', undefined, false],
  ['off', 0, false],
  ['on', undefined, true],
  ['notify', undefined, true],
  // An instance may have started the impersonation before it noticed that it was off.
  ['on', 1_000 - lifetimes.projectCache, false],
  ['on', 999 - lifetimes.projectCache, true],
])(
  'impersonation since second 1,000, with the setting %s and ended at %s, is allowed: %s',
  (impersonation, impersonation_ended_at, may) => {
    const project = { impersonation, impersonation_ended_at } as Project;
    expect(allowsImpersonation(project, 1_000 + lifetimes.actingSession)).toBe(may);
  },
);

test.each([
  ['that does not exist', undefined, []],
  ['without pages', { oauth_clients: ['web'] }, []],
  ['with pages that are off', { hosted_pages: false, oauth_clients: ['web'] }, []],
  ['with pages and no client', { hosted_pages: true }, []],
  ['with pages and a client', { hosted_pages: true, oauth_clients: ['web'] }, ['web']],
])('clientsOf returns the OAuth clients of a project %s', (_, project, clients) => {
  expect(clientsOf(project as unknown as Project | undefined)).toEqual(clients);
});

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

test('a project is read once a minute, and a change is seen after that', async () => {
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

test('a project that does not exist costs what one costs that does', async () => {
  for (let i = 0; i < 3; i += 1) expect(await nameOf('nobody')).toBeUndefined();
  expect(faults.calls).toHaveLength(1);
});

test('invented names do not fill the memory: the oldest is forgotten', async () => {
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
  'who may act as a user since second 1,000, where the project says %s and ended it at %s: %s',
  (impersonation, impersonation_ended_at, may) => {
    const project = { impersonation, impersonation_ended_at } as Project;
    expect(allowsImpersonation(project, 1_000 + lifetimes.actingSession)).toBe(may);
  },
);

test.each([
  ['that there is not', undefined, []],
  ['without pages', { oauth_clients: ['web'] }, []],
  ['whose pages are off', { hosted_pages: false, oauth_clients: ['web'] }, []],
  ['that has none', { hosted_pages: true }, []],
  ['that has one', { hosted_pages: true, oauth_clients: ['web'] }, ['web']],
])('the clients of a project %s', (_, project, clients) => {
  expect(clientsOf(project as unknown as Project | undefined)).toEqual(clients);
});

import { beforeEach, describe, expect, test } from 'vitest';
import { rolesVersionSortKey } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const { changeDefinitions, getKnownRoles, getRoles, versionItem } = await import(
  '#shared/roles/stored.ts'
);
const { noDefinitions } = await import('#shared/roles/definitions.ts');

const definitions = { ...noDefinitions, permissions: { 'invoice:read': {} } };
let projects = 0;
let project_id: string;
beforeEach(() => {
  projects += 1;
  project_id = `stored-${projects}`;
});

const read = (project = project_id) => request(() => getRoles(project));
const known = (project = project_id) => request(() => getKnownRoles(project));
async function define(project = project_id) {
  const item = await request(async () => (await getRoles(project)).version);
  const roles = { project_id: project, version: item, definitions: noDefinitions };
  await request(() => changeDefinitions(roles, definitions));
}

test('a project that has defined nothing has no version and no definitions', async () => {
  expect(await read()).toEqual({ project_id, version: undefined, definitions: noDefinitions });
  expect(await known()).toBeUndefined();
});

test('definitions are read once, and again when they have changed', async () => {
  /** The number of calls of a read. */
  const costs = async (reading: typeof read) => {
    faults.reset();
    expect((await reading())?.definitions).toEqual(definitions);
    return faults.calls.length;
  };
  await define();
  expect([await costs(read), await costs(read), await costs(known as typeof read)]).toEqual([
    2, 1, 1,
  ]);
  await define();
  expect([await costs(read), await costs(read)]).toEqual([2, 1]);
});

test('an instance caches the roles of the hundred most recently used projects', async () => {
  const names = Array.from({ length: 101 }, (_, i) => `${project_id}-${i}`);
  const [first = '', second = '', third = ''] = names;
  for (const name of names) await define(name);
  for (const name of names.slice(0, 100)) await read(name);
  for (const name of [first, second]) expect(await known(name)).toBeDefined();
  await read(names[100]);
  expect(await known(third)).toBeUndefined();
  expect(await known(first)).toBeDefined();
  expect(await known(second)).toBeDefined();
});

test('a version without definitions is an error that names the project', async () => {
  const item = keys.roles(project_id, rolesVersionSortKey);
  await faults.seed([{ ...item, project_id, version: 'lost' }]);
  const reason = `The roles of ${project_id} have a version and no definitions.`;
  await expect(read()).rejects.toThrow(reason);
});

describe('the item of If-Match', () => {
  test.each(['v1', undefined])('has the version that was read: %s', (version) => {
    expect(versionItem({ project_id, version, definitions })).toEqual({
      ...keys.roles(project_id, rolesVersionSortKey),
      ...(version && { version }),
    });
    expect(Object.hasOwn(versionItem({ project_id, version, definitions }), 'version')).toBe(
      version !== undefined,
    );
  });
});

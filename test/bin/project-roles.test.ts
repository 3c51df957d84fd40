import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../bin/project-roles.ts';
import { newFolder } from '../support/folder.ts';
import { startWorld, type TestProject } from '../support/world.ts';
import { call, run } from './run.ts';

const world = await startWorld({ subscribers: false });

const folder = newFolder();

const file = () => join(folder, 'roles.json');
async function apply({ project_id, secret }: TestProject, content: unknown, ...flags: string[]) {
  await writeFile(file(), typeof content === 'string' ? content : JSON.stringify(content));
  return command({ project_id, secret }, ...flags);
}
async function command(
  { project_id, secret }: Pick<TestProject, 'project_id' | 'secret'>,
  ...flags: string[]
) {
  const args = [file(), '--project', project_id, '--url', world.url, ...flags];
  const { stdout, stderr, code } = await call(main, args, { env: { PROJECT_SECRET: secret } });
  return { lines: stdout.split('\n').filter(Boolean), stderr: stderr.replaceAll(folder, ''), code };
}

const first = {
  permissions: { 'invoice:read': { description: 'See invoices' }, 'invoice:pay': {} },
  roles: {
    // Inherits from a role that follows it.
    accountant: { permissions: ['event:list', 'invoice:pay'], inherits: ['clerk'] },
    clerk: { name: 'Clerk', permissions: ['invoice:read'] },
    admin: { permissions: ['invoice:read'] },
  },
};
const created = [
  '+ permission invoice:read: See invoices',
  '+ permission invoice:pay',
  '+ role clerk: name "" -> "Clerk"; permissions +invoice:read',
  '+ role accountant: permissions +event:list +invoice:pay; inherits +clerk',
  '~ role admin: permissions +invoice:read',
];
const rolesOf = async (project: TestProject) => {
  const { body } = await world.as(project).roles.list({});
  return Object.fromEntries(
    (body as { result: { role: string; permissions: string[] }[] }).result.map((each) => [
      each.role,
      each.permissions,
    ]),
  );
};

test('defines what a file contains, in any order, and changes nothing the second time', async () => {
  const project = await world.newProject();
  // With a byte order mark, as editors of Windows write.
  expect(await apply(project, `\uFEFF${JSON.stringify(first)}`)).toEqual({
    lines: [...created, '5 changes.'],
    stderr: '',
    code: 0,
  });
  expect(await rolesOf(project)).toMatchObject({
    accountant: ['event:list', 'invoice:pay'],
    clerk: ['invoice:read'],
    admin: ['invoice:read'],
  });
  const { project_id, secret } = project;
  const again = ['bin/project-roles.ts', file(), '--project', project_id, '--url', world.url];
  expect(await run(again, { env: { PROJECT_SECRET: secret } })).toEqual({
    stdout: 'Nothing to change.\n',
    stderr: '',
    code: 0,
  });
});

test('--dry-run prints the same changes, and makes none', async () => {
  const project = await world.newProject();
  const before = await rolesOf(project);
  expect(await apply(project, first, '--dry-run')).toEqual({
    lines: [...created, '5 changes; none was made.'],
    stderr: '',
    code: 0,
  });
  expect(await rolesOf(project)).toEqual(before);
});

test('roles and permissions missing in the file stay, unless --delete is passed', async () => {
  const project = await world.newProject();
  await apply(project, first);
  const next = {
    permissions: { 'invoice:pay': { description: 'Pay' } },
    roles: { clerk: { permissions: ['invoice:pay'], inherits: [] } },
  };
  const changes = [
    '~ permission invoice:pay: description "" -> "Pay"',
    '~ role clerk: name "Clerk" -> ""; permissions +invoice:pay -invoice:read',
  ];
  expect((await apply(project, next)).lines).toEqual([
    ...changes,
    '  role accountant is not in the file and stays; --delete deletes it',
    '  role admin: what the project added is not in the file and stays; --delete deletes it',
    '  permission invoice:read is not in the file and stays; --delete deletes it',
    '2 changes.',
  ]);
  expect((await apply(project, next, '--delete')).lines).toEqual([
    '- role accountant',
    '- role admin: what the project added',
    '- permission invoice:read',
    '3 changes.',
  ]);
  expect(await rolesOf(project)).toMatchObject({ admin: [], clerk: ['invoice:pay'] });
  expect(await rolesOf(project)).not.toHaveProperty('accountant');
});

test('reverses an inheritance between two roles without a temporary cycle', async () => {
  const project = await world.newProject();
  const role = (...inherits: string[]) => ({ permissions: [], inherits });
  await apply(project, { roles: { a: role('b'), b: role() } });
  expect((await apply(project, { roles: { a: role(), b: role('a') } })).lines).toEqual([
    '~ role a: inherits -b',
    '~ role b: inherits +a',
    '2 changes.',
  ]);
});

test('--write produces a file that the command reads without changes', async () => {
  const [project, other] = [await world.newProject(), await world.newProject()];
  await apply(project, first);
  await rm(file());
  expect((await command(project, '--write')).lines[0]).toMatch(/^2 permissions and 3 roles/);
  const written = await readFile(file(), 'utf8');
  expect(JSON.parse(written)).toMatchObject(first);
  expect((await command(project, '--write')).stderr).toContain('EEXIST');
  expect((await apply(project, written)).lines).toEqual(['Nothing to change.']);
  await apply(other, written);
  expect(await rolesOf(other)).toEqual(await rolesOf(project));
});

test('reports every wrong field before sending anything', async () => {
  const project = await world.newProject();
  const linesOf = (stderr: string) => stderr.trim().split('\n');
  const { stderr, code } = await apply(project, {
    permissions: { 'workspace:fly': {}, Invoice: {}, 'a:b': { colour: 1, 'si/ze': 2 } },
    roles: {
      owner: { permissions: [] },
      x: { permissions: 'all' },
      Y: { permissions: [] },
      z: { permissions: ['a:b', 'a:c'], inherits: ['x', 'none'] },
    },
    rules: {},
  });
  expect(code).toBe(1);
  // Without the list of permissions, those of the roles cannot be checked.
  const role = { permissions: ['a:b'] };
  expect(linesOf((await apply(project, { permissions: [], roles: { role } })).stderr)).toEqual([
    '/roles.json: /permissions: Must be an object',
  ]);
  const resourceAction =
    'Must be resource:action, of lower-case letters, digits and hyphens, each with a letter first';
  expect(linesOf(stderr)).toEqual(
    [
      `/permissions/Invoice: ${resourceAction}`,
      '/permissions/a:b/colour: Unknown field',
      '/permissions/a:b/si~1ze: Unknown field',
      '/roles/x/permissions: Must be an array',
      '/roles/Y: Must be 1 to 32 lower-case letters, digits and hyphens, a letter first',
      '/rules: Unknown field',
      '/permissions/workspace:fly: Is of a resource of the service',
      '/roles/owner: Is a name that the service itself uses',
      '/roles/z/permissions/1: Must be a permission of the project',
      '/roles/z/inherits/1: Must be a role of the project',
    ].map((line) => `/roles.json: ${line}`),
  );
  expect((await apply(project, [])).stderr).toBe('/roles.json: Must be an object\n');
  const ofService = await apply(project, {
    permissions: { 'workspace:fly': {}, 'ok:ok': {} },
    roles: {
      owner: { permissions: [] },
      x: { permissions: ['ok:no', 'ownership:transfer'], inherits: ['y'] },
      y: { permissions: ['ok:ok'], inherits: ['x', 'z'] },
    },
  });
  expect(ofService.stderr.split('\n').map((line) => line.split(': ')[1])).toEqual([
    '/permissions/workspace:fly',
    '/roles/owner',
    '/roles/x/permissions/0',
    '/roles/x/permissions/1',
    '/roles/x/inherits/0',
    '/roles/y/inherits/0',
    '/roles/y/inherits/1',
    undefined,
  ]);
  expect((await apply(project, 'no JSON')).stderr).toContain('/roles.json: ');
  expect(await rolesOf(project)).not.toHaveProperty('y');
});

test('a refusal of the service ends the run, with the reason and the changes made so far', async () => {
  const project = await world.newProject();
  await apply(project, first);
  const ada = await world.user({ project });
  const workspace = await world.workspace({ owner: ada });
  const member = await world.user({ project });
  await world.as(project).members.add({
    workspace_id: workspace.workspace_id,
    user_id: member.uid,
    role: 'accountant',
  });
  const { accountant: _, ...roles } = first.roles;
  const { lines, stderr, code } = await apply(
    project,
    { permissions: { ...first.permissions, 'invoice:void': {} }, roles },
    '--delete',
  );
  expect([lines, code]).toEqual([['+ permission invoice:void'], 1]);
  expect(stderr).toContain('- role accountant\n  refused: 1 members, invitations and join links');
});

import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { main as usersExport } from '../../bin/users-export.ts';
import { main as usersImport } from '../../bin/users-import.ts';
import { main as workspacesExport } from '../../bin/workspaces-export.ts';
import { main as workspacesImport } from '../../bin/workspaces-import.ts';
import { startWorld, type TestProject } from '../support/world.ts';
import { newFiles } from './folder.ts';
import { call, run } from './run.ts';

const world = await startWorld({ subscribers: false });

const { at, readRows: read, writeRows: write } = newFiles();

const commands = {
  'users-export': usersExport,
  'users-import': usersImport,
  'workspaces-export': workspacesExport,
  'workspaces-import': workspacesImport,
};
type Name = keyof typeof commands;
const argsOf = ({ project_id }: TestProject, file: string, flags: string[]) => [
  ...[at(file), '--project', project_id, '--url', world.url, ...flags],
];
const command = (name: Name, project: TestProject, file: string, ...flags: string[]) =>
  call(commands[name], argsOf(project, file, flags), { env: { PROJECT_SECRET: project.secret } });
const start = (name: Name, project: TestProject, file: string, ...flags: string[]) =>
  run([`bin/${name}.ts`, ...argsOf(project, file, flags)], {
    env: { PROJECT_SECRET: project.secret },
  });

async function projectWithUsers(settings: object = {}): Promise<TestProject> {
  const project = await world.newProject(settings);
  const users = [
    { email: 'ada@w.example.com', email_verified: true, external_id: 'u1' },
    { email: 'grace@w.example.com', external_id: 'u2' },
    { email: 'charles@w.example.com' },
    // A text with Unicode's line separator is one line of an export.
    { external_id: 'u4', about_me: 'a\u2028b', disabled: true, private_metadata: { vip: true } },
  ];
  await world.as(project).users.import({ users });
  return project;
}
const engines = {
  ...{ name: 'Engines', external_id: 'o1', description: 'Analytical' },
  owner: { external_id: 'u1' },
  members: [{ email: 'grace@w.example.com', role: 'admin' }, { email: 'charles@w.example.com' }],
  allowed_domains: ['w.example.com'],
};
type Listed = {
  result: {
    workspace_id: string;
    name: string;
    uid: string;
    role: string;
    email: string;
    external_id?: string;
  }[];
};

const workspacesOf = async (project: TestProject, query: object = {}) =>
  ((await world.as(project).workspaces.list(query)).body as Listed).result;
const usersOf = async (project: TestProject, query: object) =>
  ((await world.as(project).users.list(query)).body as Listed).result;

test('imports workspaces with owner, members and domains; a second import changes nothing', async () => {
  const project = await projectWithUsers();
  await write('ws.jsonl', engines, { name: 'Looms', owner: { email: 'charles@w.example.com' } });
  const first = await command('workspaces-import', project, 'ws.jsonl');
  expect([first.stdout, first.code]).toEqual(['2 workspaces: 2 created.\n', 0]);
  const again = await command('workspaces-import', project, 'ws.jsonl');
  // Without an external id, the Idempotency-Key returns the one that was created.
  expect(again.stdout).toBe('2 workspaces: 1 existed, 1 created.\n');
  await world.drainStream();
  const all = await workspacesOf(project);
  expect(all.map(({ name }) => name).toSorted()).toEqual(['Engines', 'Looms']);
  const [found] = await workspacesOf(project, { external_id: 'o1' });
  expect(found).toMatchObject({ description: 'Analytical', owner_email: 'ada@w.example.com' });
  const { workspace_id } = found ?? {};
  const list = (await world.as(project).members.list({ workspace_id, status: 'accepted' }))
    .body as Listed;
  const roles = Object.fromEntries(list.result.map(({ email, role }) => [email, role]));
  expect(roles).toEqual({
    ...{ 'ada@w.example.com': 'admin', 'grace@w.example.com': 'admin' },
    'charles@w.example.com': 'member',
  });
});

test('creates a workspace for each of several equal lines, once', async () => {
  const project = await projectWithUsers();
  const looms = { name: 'Looms', owner: { external_id: 'u1' } };
  const exported = ['wid-a', 'wid-b'].map((workspace_id) => ({ ...looms, workspace_id }));
  await write('same.jsonl', looms, looms, ...exported);
  const first = await command('workspaces-import', project, 'same.jsonl');
  expect(first.stdout).toBe('4 workspaces: 4 created.\n');
  const again = await command('workspaces-import', project, 'same.jsonl');
  expect(again.stdout).toBe('4 workspaces: 2 created, 2 existed.\n');
  await world.drainStream();
  const all = await workspacesOf(project);
  expect(all.map(({ external_id }) => external_id ?? '').toSorted()).toEqual([
    ...['', ''],
    ...['wid-a', 'wid-b'],
  ]);
});

test.each([{ external_id: 'o1' }, {}])(
  'keeps domains that admins changed after the import (%j)',
  async (id) => {
    const project = await projectWithUsers();
    const { workspaces } = world.as(project);
    const row = { ...id, name: 'Engines', owner: { external_id: 'u1' } };
    const domains = ['w.example.com'];
    // A run was killed before it set the domains; the next run sets them.
    await write('domains.jsonl', row);
    await command('workspaces-import', project, 'domains.jsonl');
    await write('domains.jsonl', { ...row, allowed_domains: domains });
    await command('workspaces-import', project, 'domains.jsonl');
    await world.drainStream();
    const found = await workspacesOf(project);
    expect(found).toEqual([expect.objectContaining({ allowed_domains: domains })]);
    const { workspace_id } = found[0] ?? {};
    await workspaces.setAllowedDomains({ workspace_id, allowed_domains: [] });
    await command('workspaces-import', project, 'domains.jsonl');
    expect((await workspaces.get({ workspace_id })).body).toMatchObject({ allowed_domains: [] });
  },
);

test('refuses a line with wrong fields or unknown users as a whole, with every reason', async () => {
  const project = await projectWithUsers();
  await write(
    'wrong.jsonl',
    {
      ...{ name: ' ', workspace_id: 'w1', owner: {}, color: 'red', app_metadata: 5 },
      members: [{ email: 'ada@w.example.com', role: 5 }],
      roles: [{ permissions: [] }],
    },
    { ...engines, owner: { email: 'nobody@w.example.com' }, members: [{ external_id: 'u9' }] },
    { ...engines, external_id: 'o2', description: 'x'.repeat(300) },
  );
  const { stdout, code } = await command('workspaces-import', project, 'wrong.jsonl');
  expect([stdout, code]).toEqual([expect.stringMatching(/^3 workspaces: 3 failed/), 1]);
  const refused = await read('wrong.jsonl.errors.jsonl');
  expect(refused.map(({ name, external_id }) => [name, external_id])).toEqual([
    [undefined, 'w1'],
    ['Engines', 'o1'],
    ['Engines', 'o2'],
  ]);
  expect(refused.map(({ errors }) => errors)).toEqual([
    [
      'color: Unknown field; name: Is required; app_metadata: Must be an object; owner: Must have uid, external_id or email; roles/0/role: Must be the name of a role; members/0/role: Must be the name of a role',
    ],
    [
      'owner: There is no user with this email',
      'members/0: There is no user with this external_id',
    ],
    ['description: Must have at most 256 characters'],
  ]);
  await world.drainStream();
  expect(await workspacesOf(project)).toEqual([]);
});

test('a dry run reports for each line what the import then does', async () => {
  const project = await projectWithUsers({ workspace_roles: true, mfa: 'optional' });
  await world.as(project).roles.set({ role: 'clerk', permissions: [] });
  const owner = { external_id: 'u1' };
  const [grace, charles] = [{ email: 'grace@w.example.com' }, { email: 'charles@w.example.com' }];
  const nobody = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a06';
  const wsReader = { role: 'ws-reader', permissions: ['event:list'] };
  await write('before.jsonl', { name: 'Before', external_id: 'o0', owner, roles: [wsReader] });
  expect((await command('workspaces-import', project, 'before.jsonl')).code).toBe(0);
  await world.drainStream();
  const lines = [
    { name: 'Before', owner, roles: [{ ...wsReader, permissions: 7 }] },
    { name: 'Role of nobody', owner, members: [{ ...grace, role: 'nosuch' }] },
    { name: 'Owners', owner, members: [{ ...grace, role: 'owner' }] },
    { name: 'x'.repeat(300), owner },
    { name: 'Domain', owner, allowed_domains: ['not a domain'] },
    { name: 'Logo', owner, logo: 'http://x' },
    { name: 'Grace', owner, mfa_grace_days: 3 },
    { name: 'Uid', owner: { uid: 'nobody' } },
    { name: 'Nobody', owner: { uid: nobody } },
    { name: 'Wrong role', owner, roles: [{ role: 'clerk', permissions: [] }] },
    { name: 'Wrong permission', owner, roles: [{ role: 'ws-a', permissions: ['a:b'] }] },
    { name: 'Twice', owner, members: [grace, { ...grace, role: 'admin' }] },
    { name: 'Good', owner, members: [{ ...grace, role: 'clerk' }, charles], require_mfa: true },
    { name: 'Own', owner, roles: [wsReader], members: [{ ...grace, role: 'ws-reader' }] },
    {
      ...{ name: 'Two domains', owner, allowed_domains: ['a b', 'c d', 'w.example.com', 'e f'] },
      domain_modes: { 'a b': 'suggest' },
    },
    { name: 'Members', owner, members: [{ uid: 'nobody' }, { ...grace, role: 'No Role' }] },
    { name: 'Old id', external_id: undefined, workspace_id: 'x'.repeat(300), owner },
    { name: 'Old logo', owner, logo_url: 'http://x' },
    { name: 'Suggests', owner, allowed_domains: ['a b'], domain_modes: { 'a b': 'suggest' } },
  ].map((line, i) => ({ external_id: `o${i}`, ...line }));
  const { uid } = (await world.as(project).users.create({ email: 'ida@w.example.com' })).body as {
    uid: string;
  };
  const ida = { uid: uid.toUpperCase(), role: 'ws-reader' };
  await write(
    'dry.jsonl',
    ...lines,
    { name: 'Again', external_id: 'o13', owner, members: [ida] },
    { name: 'Ida', external_id: 'o16', owner: { uid: ida.uid }, members: [{ uid }] },
  );
  const dry = await command('workspaces-import', project, 'dry.jsonl', '--dry-run');
  await world.drainStream();
  expect(await workspacesOf(project)).toHaveLength(1);
  const real = await command('workspaces-import', project, 'dry.jsonl');
  const said = ({ stdout }: { stdout: string }) =>
    stdout.replace('would be ', '').replace('dry-run-', '');
  expect(said(dry)).toBe(said(real));
  expect([dry.code, real.code]).toEqual([1, 1]);
  expect(dry.stdout).toMatch(/^21 workspaces: 2 existed, 12 would be created, 7 failed\. See /);
  const errors = await read('dry.jsonl.dry-run-errors.jsonl');
  // Each error names a field that its line has.
  const fields = errors.map((each): [unknown, string[]] => [
    each['name'],
    (each['errors'] as string[]).map((error) => error.split(': ')[0] ?? ''),
  ]);
  expect(Object.fromEntries(fields)).toMatchObject({
    ...{ Uid: ['owner/uid'], Logo: ['logo'], ['x'.repeat(300)]: ['name'] },
    ...{ 'Wrong role': ['roles/0/role'], 'Wrong permission': ['roles/0/permissions/0'] },
    'Two domains': ['allowed_domains/1', 'allowed_domains/3', 'allowed_domains/0'],
    ...{ Members: ['members/0/uid', 'members/1/role'], Suggests: ['allowed_domains/0'] },
    ...{ 'Old id': ['workspace_id'], 'Old logo': ['logo_url'] },
  });
  const inWords = errors.filter(({ name }) => name === 'Nobody');
  expect(inWords).toMatchObject([{ errors: ['owner: There is no user with this uid'] }]);
  const others = (all: Record<string, unknown>[]) => all.filter(({ name }) => name !== 'Nobody');
  expect(others(errors)).toEqual(others(await read('dry.jsonl.errors.jsonl')));
});

test('imports roles of the project and of the workspace, and reports their errors', async () => {
  const from = await projectWithUsers({ workspace_roles: true });
  const to = await projectWithUsers({ workspace_roles: true });
  const closed = await projectWithUsers();
  for (const project of [from, to])
    await world.as(project).roles.set({ role: 'clerk', permissions: [] });
  const roles = [
    { role: 'ws-reader', name: 'Reader', permissions: ['event:list'] },
    { role: 'ws-empty', permissions: [] },
  ];
  const members = [
    { email: 'grace@w.example.com', role: 'ws-reader' },
    { email: 'charles@w.example.com', role: 'clerk' },
  ];
  await write('roles.jsonl', { ...engines, roles, members });
  const first = await command('workspaces-import', from, 'roles.jsonl');
  expect(first.stdout).toBe('1 workspaces: 1 created.\n');
  await world.drainStream();
  await command('workspaces-export', from, 'roles-out.jsonl');
  const [row] = await read('roles-out.jsonl');
  expect(row?.['roles']).toEqual(expect.arrayContaining(roles));
  expect(row?.['members']).toEqual(expect.arrayContaining(members));
  expect((await command('workspaces-import', to, 'roles-out.jsonl')).code).toBe(0);
  const { workspaceRoles } = world.as(to);
  await world.drainStream();
  const [place] = await workspacesOf(to, { external_id: 'o1' });
  const reader = { workspace_id: place?.workspace_id, role: 'ws-reader' };
  expect((await workspaceRoles.get(reader)).body).toMatchObject({ permissions: ['event:list'] });
  // Later changes to a role by admins stay.
  await workspaceRoles.set({ ...reader, permissions: [] });
  expect((await command('workspaces-import', to, 'roles-out.jsonl')).code).toBe(0);
  expect((await workspaceRoles.get(reader)).body).toMatchObject({ permissions: [] });

  await command('workspaces-import', closed, 'roles.jsonl');
  const [failed] = await read('roles.jsonl.errors.jsonl');
  expect(failed?.['errors']).toEqual([
    'roles/0: forbidden: The project does not let workspaces have roles of their own',
    'roles/1: forbidden: The project does not let workspaces have roles of their own',
    'members/0/role: Must be a role of the project or of the workspace',
    'members/1/role: Must be a role of the project or of the workspace',
  ]);
});

test('an export of one project can be imported into another', async () => {
  const project = await projectWithUsers({ mfa: 'optional' });
  const members = [...engines.members, { external_id: 'u4' }];
  const app_metadata = { plan: { seats: 4 } };
  const require_mfa = true;
  await write('source.jsonl', { ...engines, members, app_metadata, require_mfa });
  await command('workspaces-import', project, 'source.jsonl');
  await world.drainStream();
  const users = await start('users-export', project, 'users-out.jsonl', '--with-metadata');
  expect(users.stdout).toBe(`4 users written to ${at('users-out.jsonl')}.\n`);
  const workspaces = await start('workspaces-export', project, 'ws-out.jsonl', '--with-metadata');
  expect(workspaces.stderr).toBe('');
  expect(workspaces.stdout).toBe(`1 workspaces written to ${at('ws-out.jsonl')}.\n`);
  expect(await read('ws-out.jsonl')).toEqual([
    {
      ...{ workspace_id: expect.stringMatching(/^wid-/), name: 'Engines', external_id: 'o1' },
      ...{ description: 'Analytical', allowed_domains: ['w.example.com'] },
      ...{ owner: { email: 'ada@w.example.com' }, app_metadata, require_mfa },
      members: expect.arrayContaining([
        { email: 'grace@w.example.com', role: 'admin' },
        { external_id: 'u4', role: 'member' },
        { email: 'charles@w.example.com', role: 'member' },
      ]),
    },
  ]);
  const other = await world.newProject({ mfa: 'optional' });
  const into = await command('users-import', other, 'users-out.jsonl', '--from', 'jsonl');
  // One user was created with only a uid.
  expect(into.stdout).toMatch(
    /^4 users: 4 created\.\nUsers whom only your backend can sign in.* 1 \(line \d\)\.\n$/,
  );
  const moved = await start('workspaces-import', other, 'ws-out.jsonl');
  expect(moved.stdout).toBe('1 workspaces: 1 created.\n');
  const [ada] = await usersOf(other, { external_id: 'u1' });
  expect(ada).toMatchObject({ email: 'ada@w.example.com', verified: { email: true } });
  const [u4] = await usersOf(other, { external_id: 'u4' });
  expect(u4).toMatchObject({ disabled: true, about_me: 'a\u2028b' });
  const metadata = await world.as(other).users.getMetadata({ uid: u4?.uid });
  expect(metadata.body).toEqual({ private_metadata: { vip: true } });
  const [place] = await workspacesOf(other, { external_id: 'o1' });
  expect(place).toMatchObject({ require_mfa });
  const ofPlace = { workspace_id: String(place?.['workspace_id']) };
  expect((await world.as(other).workspaces.getMetadata(ofPlace)).body).toEqual({ app_metadata });
  const over = await command('workspaces-export', project, 'ws-out.jsonl');
  expect([over.stderr, over.code]).toEqual([
    `${at('ws-out.jsonl')} exists. Pass --force to replace it.\n`,
    1,
  ]);
});

test('a killed export resumes without duplicate lines', async () => {
  const project = await projectWithUsers();
  await world.drainStream();
  const all = await world.as(project).users.list({ order: 'asc', limit: 1 });
  const cursor = new URL(/<([^>]+)>/.exec(all.headers.get('link') ?? '')?.[1] ?? '').searchParams;
  const first = '{"uid":"of the first run"}\n';
  await writeFile(at('killed.jsonl'), `${first}{"uid":"half`);
  const state = { done: 1, cursor: cursor.get('cursor') };
  const of = `users of ${project.project_id} at ${world.url}`;
  await write('killed.jsonl.checkpoint.json', { run: of, written: first.length, state });
  const { stdout } = await command('users-export', project, 'killed.jsonl');
  expect(stdout).toBe(`4 users written to ${at('killed.jsonl')}.\n`);
  const lines = await read('killed.jsonl');
  expect(lines).toHaveLength(4);
  expect(new Set(lines.map(({ uid }) => uid)).size).toBe(4);
});

test('--with-password-hashes is refused with --url, since it needs the operator function', async () => {
  const flag = '--with-password-hashes';
  const { stderr, code } = await command('users-export', world.project, 'x.jsonl', flag);
  expect([stderr, code]).toEqual([
    'Pass --with-password-hashes only together with --stack or --local.\n',
    1,
  ]);
});

import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../bin/users-import.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld, type TestProject } from '../support/world.ts';
import { newFiles } from './folder.ts';
import { call, root } from './run.ts';

const world = await startWorld({ subscribers: false });
const google = {
  issuer: 'https://accounts.example.com',
  jwks_uri: 'https://accounts.example.com/keys',
  client_ids: ['id'],
};
/** The password of a published bcrypt test vector. */
const published = 'U*U';

const { folder, at, has, readRows, writeRows } = newFiles();
beforeAll(() => cp(join(root, 'test/bin/fixtures'), folder, { recursive: true }));

const importInto = ({ project_id, secret }: TestProject, file: string, ...flags: string[]) =>
  call(main, [at(file), '--project', project_id, '--url', world.url, ...flags], {
    env: { PROJECT_SECRET: secret },
  });
type Line = { line: number; errors: string[] };
const errorsOf = async (file: string) =>
  ((await has(`${file}.errors.jsonl`)) ? await readRows(`${file}.errors.jsonl`) : []) as Line[];

type User = Record<string, unknown> & { uid: string };
const find = async (project: TestProject, query: object): Promise<User | undefined> =>
  ((await world.as(project).users.list(query)).body as { result: User[] }).result[0];

describe('an export of', () => {
  test.each([
    {
      ...{ from: 'clerk', file: 'clerk.csv', flags: [], password: published },
      said: '3 users: 2 created, 1 failed.',
      errors: [[4, 'Has a password hash of md5, which cannot be verified']],
      ada: {
        ...{ external_id: 'user_2a', preferred_username: 'ada', verified: { email: true } },
        name: { given_name: 'Ada', family_name: 'King', formatted: 'Ada King' },
      },
      grace: { display_name: 'Grace "Amazing" Hopper', verified: { email: false } },
    },
    {
      ...{ from: 'auth0', file: 'auth0.ndjson', password: published },
      flags: ['--providers', 'google', '--passwords', 'auth0-passwords.ndjson'],
      ...{ said: '3 users: 3 created.', errors: [] },
      more: (files: string[]) =>
        `\n2 password hashes in ${files.at(-1)}: 2 of them belong to users of this run.`,
      ada: {
        ...{ external_id: 'auth0|5dea9f9c82dd7c0e76e4ec93', verified: { email: true } },
        ...{ display_name: 'Ada King', created_at: '2019-12-06T18:36:12.412Z' },
        thumbnail_url: 'https://s.gravatar.example.com/avatar/1.png',
      },
      grace: { external_id: 'google-oauth2|1101', social: 'google', display_name: '' },
      metadata: { user_metadata: { theme: 'dark' }, app_metadata: { plan: 'pro' } },
    },
    {
      ...{ from: 'cognito', file: 'cognito-pages.ndjson', flags: ['--providers', 'google'] },
      ...{ said: '2 users: 2 created.', errors: [], password: undefined },
      ada: {
        ...{ external_id: '11111111-1111-4111-8111-111111111111', verified: { email: true } },
        ...{ display_name: 'Ada {King}', created_at: '2021-03-04T05:06:07.089Z' },
      },
      grace: { social: 'google', verified: { email: false } },
      metadata: { app_metadata: { plan: 'pro' } },
    },
    {
      ...{ from: 'firebase', file: 'firebase.json', password: 'user1password' },
      flags: ['--providers', 'google', '--firebase-hash-config', 'firebase-hash-config.txt'],
      ...{ said: '3 users: 3 created.', errors: [] },
      more: () =>
        '\nUsers whom only your backend can sign in, because they have neither an e-mail nor an imported account at a provider: 1 (line 34).',
      ada: {
        ...{ external_id: 'fb1', display_name: 'Ada "Countess" King', social: 'google' },
        ...{ created_at: '2021-03-04T05:06:07.089Z', verified: { email: true } },
      },
      grace: { external_id: 'fb2', verified: { email: false } },
      metadata: { app_metadata: { plan: 'pro' } },
    },
    {
      ...{ from: 'supabase', file: 'supabase.csv', flags: ['--providers', 'google'] },
      ...{ said: '2 users: 2 created.', errors: [], password: published },
      ada: {
        ...{ external_id: '22222222-2222-4222-8222-222222222222', verified: { email: true } },
        ...{ display_name: 'Ada King', created_at: '2022-01-02T03:04:05.678Z' },
      },
      grace: { social: 'google', verified: { email: false } },
    },
    {
      ...{ from: 'better-auth', file: 'better-auth.jsonl', flags: ['--providers', 'google'] },
      ...{ said: '2 users: 2 created.', errors: [], password: goodPassword },
      ada: { external_id: 'ba1', display_name: 'Ada King', social: 'google' },
      grace: { external_id: 'ba2', created_at: '2023-01-02T03:04:05.678Z' },
    },
    {
      ...{ from: 'workos', file: 'workos.jsonl', flags: ['--providers', 'google'] },
      ...{ said: '2 users: 2 created.', errors: [], password: undefined },
      ada: {
        ...{ external_id: 'user_01WORKOS1', display_name: 'Ada King', social: 'google' },
        ...{ created_at: '2023-11-18T09:18:13.120Z', verified: { email: true } },
      },
      grace: { external_id: 'user_01WORKOS2', display_name: '', verified: { email: false } },
      metadata: { app_metadata: { plan: 'pro', external_id: 'crm-1' } },
    },
    {
      ...{ from: 'logto', file: 'logto.jsonl', flags: ['--providers', 'google'] },
      ...{ said: '3 users: 2 created, 1 failed.', password: goodPassword },
      errors: [[3, 'Has a password hash of MD5, which cannot be verified']],
      ada: {
        ...{ external_id: 'lg0000000001', display_name: 'Ada King', preferred_username: 'ada' },
        ...{ created_at: '2023-11-18T09:18:13.120Z', social: 'google', verified: { email: true } },
      },
      grace: { external_id: 'lg0000000002', disabled: true },
      metadata: { app_metadata: { plan: 'pro' } },
    },
    {
      ...{ from: 'stack-auth', file: 'stack-auth.jsonl', flags: ['--providers', 'google'] },
      ...{ said: '2 users: 2 created.', errors: [], password: published },
      ada: {
        ...{ external_id: '33333333-3333-4333-8333-333333333331', display_name: 'Ada King' },
        ...{ created_at: '2023-11-18T09:18:13.120Z', social: 'google', verified: { email: true } },
      },
      grace: { disabled: true, verified: { email: false } },
      metadata: {
        ...{ user_metadata: { theme: 'dark' }, app_metadata: { plan: 'pro' } },
        private_metadata: { stripe: 'cus_1' },
      },
    },
    {
      ...{ from: 'csv', file: 'rows.csv', flags: [], password: published },
      ...{ said: '2 users: 2 created.', errors: [] },
      ada: {
        external_id: 'c1',
        name: { given_name: 'Ada', family_name: 'King, Countess', formatted: '' },
      },
      grace: { external_id: 'c2', social: 'google', verified: { email: false } },
    },
  ])('$from becomes users with their fields and their passwords', async (each) => {
    const { from, file, flags, said, errors, password, ada, grace } = each;
    const home = await signInProject(world, { identity_providers: { google } });
    const files = flags.map((flag) => (/\.(?:txt|ndjson)$/.test(flag) ? at(flag) : flag));
    const { stdout, stderr, code } = await importInto(home.project, file, '--from', from, ...files);
    expect([stdout.trim(), stderr, code]).toEqual([
      `${said}${errors.length > 0 ? ` See ${at(file)}.errors.jsonl.` : ''}${'more' in each ? each.more(files) : ''}`,
      expect.not.stringContaining('Error'),
      errors.length > 0 ? 1 : 0,
    ]);
    expect((await errorsOf(file)).map(({ line, errors: [one] }) => [line, one])).toEqual(errors);
    expect(await has(`${file}.errors.jsonl`)).toBe(errors.length > 0);
    expect(await has(`${file}.checkpoint.json`)).toBe(false);
    const email = (name: string) => `${name}@${from}.example.com`;
    expect(await find(home.project, { email: email('ada') })).toMatchObject(ada);
    expect(await find(home.project, { email: email('grace') })).toMatchObject(grace);
    if ('metadata' in each && each.metadata) {
      const uid = (await find(home.project, { email: email('ada') }))?.uid;
      const { body } = await world.as(home.project).users.getMetadata({ uid });
      expect(body).toEqual(each.metadata);
    }
    if (password !== undefined)
      expect((await home.signIn(email('ada'), password)).email).toBe(email('ada'));
  });

  test('--providers with unknown providers imports no user, and names them', async () => {
    const project = await world.newProject({ identity_providers: { google } });
    const from = ['--from', 'supabase', '--providers'];
    const list = 'gogle, google,x y,';
    const wrong = await importInto(project, 'supabase.csv', ...from, list);
    expect([wrong.stdout, wrong.stderr, wrong.code]).toEqual([
      '',
      ['gogle', 'x y']
        .map((name) => `--providers: ${name}: Must be an identity provider of the project.\n`)
        .join(''),
      1,
    ]);
    expect(await has('supabase.csv.checkpoint.json')).toBe(false);
    const email = 'grace@supabase.example.com';
    expect(await find(project, { email })).toBeUndefined();
    // Upper case and a leading blank do not change the provider.
    const right = await importInto(project, 'supabase.csv', ...from, ' Google');
    expect([right.stdout, right.code]).toEqual(['2 users: 2 created.\n', 0]);
    expect(await find(project, { email })).toMatchObject({ social: 'google' });
  });

  test('reports a provider of --providers that no user has an account at', async () => {
    const shop = { ...google, issuer: 'https://shop.example.com' };
    const project = await world.newProject({ identity_providers: { google, shop } });
    const flags = ['--from', 'supabase', '--providers', 'shop,google'];
    const { stdout, code } = await importInto(project, 'supabase.csv', ...flags);
    expect([stdout, code]).toEqual([
      '2 users: 2 created.\nNo user of this run has an account at shop.\n',
      0,
    ]);
  });

  test('users who were blocked cannot sign in', async () => {
    const home = await signInProject(world);
    await importInto(
      home.project,
      'auth0.ndjson',
      '--from',
      'auth0',
      '--passwords',
      at('auth0-passwords.ndjson'),
    );
    const signIn = await home.post('/sessions/password', {
      ...{ email: 'euclid@auth0.example.com', password: published },
    });
    expect(signIn.body).toMatchObject({ code: 'user_disabled' });
  });

  test('firebase without --firebase-hash-config refuses the users with passwords', async () => {
    const project = await world.newProject();
    const { stdout, code } = await importInto(project, 'firebase.json', '--from', 'firebase');
    expect([stdout, code]).toEqual([expect.stringMatching(/^3 users: 1 failed, 2 created/), 1]);
    expect(await errorsOf('firebase.json')).toEqual([
      {
        ...{ line: 3, email: 'ada@firebase.example.com', external_id: 'fb1' },
        errors: ['Has a password hash: pass --firebase-hash-config FILE'],
      },
    ]);
  });
});

describe('a run', () => {
  const lines = (rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      email: `n${n}@run.example.com`,
      external_id: `${n}`,
    }));

  test('reports each invalid line with its number and reasons, and imports the others', async () => {
    const project = await world.newProject();
    const rows = [{ email: 'nobody', disabled: 7 }, { email: 'one@run.example.com' }];
    await writeFile(at('wrong.jsonl'), `${lines(rows)}\n{"email": \n[]\n${lines(many(1))}`);
    const { stdout, code } = await importInto(project, 'wrong.jsonl', '--from', 'jsonl');
    expect([stdout, code]).toEqual([
      expect.stringMatching(/^5 users: 3 failed, 2 created\. See /),
      1,
    ]);
    expect(await errorsOf('wrong.jsonl')).toEqual([
      {
        ...{ line: 1, email: 'nobody' },
        errors: [
          'disabled: Must be true or false',
          'email: Must be an e-mail address under a registrable domain',
        ],
      },
      { line: 4, errors: ['Is no JSON'] },
      { line: 5, errors: ['Is no object'] },
    ]);
  });

  test('continues after users whom the service refuses', async () => {
    const project = await world.newProject();
    const [good] = many(1);
    const big = { email: 'big@run.example.com', about_me: 'x'.repeat(300_000) };
    const half = { email: 'half@run.example.com', display_name: '\ud800' };
    await writeRows('refused.jsonl', half, big, good);
    const { stdout, stderr, code } = await importInto(project, 'refused.jsonl', '--from', 'jsonl');
    expect([stdout, stderr, code]).toEqual([
      expect.stringMatching(/^3 users: 2 failed, 1 created\. See /),
      '',
      1,
    ]);
    expect(await errorsOf('refused.jsonl')).toEqual([
      { line: 1, email: half.email, errors: [expect.any(String)] },
      { line: 2, email: big.email, errors: [expect.stringContaining('must not exceed')] },
    ]);
  });

  test('of a CSV file refuses invalid rows, each with its first line, and imports the others', async () => {
    const project = await world.newProject();
    const rows = [
      'email,external_id,about_me,disabled',
      'ada@table.example.com,1,"one\ntwo",Y',
      'grace@table.example.com,2,"three\nfour",gesperrt',
      'carl@table.example.com,3,x,y,no',
      'not an e-mail,4,"five\nsix",no',
      'dora@table.example.com,5,,',
    ];
    await writeFile(at('table.csv'), rows.join('\n'));
    const { stdout, code } = await importInto(project, 'table.csv', '--from', 'csv');
    expect([stdout, code]).toEqual([
      expect.stringMatching(/^5 users: 2 created, 3 failed\. See /),
      1,
    ]);
    const grace = { email: 'grace@table.example.com', external_id: '2' };
    expect(await errorsOf('table.csv')).toEqual([
      {
        ...{ line: 4, ...grace },
        errors: ['disabled: Must be true, t, yes, y or 1, or false, f, no, n or 0'],
      },
      { line: 6, errors: ['Has 5 fields, and the header 4'] },
      {
        ...{ line: 7, email: 'not an e-mail', external_id: '4' },
        errors: ['email: Must be an e-mail address under a registrable domain'],
      },
    ]);
    expect(await has('table.csv.checkpoint.json')).toBe(false);
    expect(await find(project, { external_id: '1' })).toMatchObject({ disabled: true });
    expect(await find(project, { external_id: '5' })).not.toHaveProperty('disabled');
  });

  test('with existing users changes nothing, and a dry run writes nothing', async () => {
    const project = await world.newProject();
    await writeRows('again.jsonl', ...many(3));
    const dry = await importInto(project, 'again.jsonl', '--from', 'jsonl', '--dry-run');
    expect(dry.stdout).toBe('3 users: 3 would be created.\n');
    expect(await find(project, { external_id: '0' })).toBeUndefined();
    for (const said of ['3 users: 3 created.\n', '3 users: 3 existed.\n'])
      expect((await importInto(project, 'again.jsonl', '--from', 'jsonl')).stdout).toBe(said);
  });

  test('resumes after a killed run, and keeps its errors once', async () => {
    const project = await world.newProject();
    const file = 'killed.jsonl';
    await writeRows(file, { email: 'nobody' }, ...many(3));
    const { size, mtime } = await stat(at(file));
    const before = `users of ${project.project_id} at ${world.url} from jsonl, ${at(file)}, ${size} bytes of ${mtime.toISOString()}, by line feeds`;
    const error = '{"line":1,"errors":["email: of the first run"]}\n';
    // Errors after the checkpoint are written again.
    await writeFile(at(`${file}.errors.jsonl`), `${error}{"line":2,"err`);
    const state = { done: 2, failed: 1, outcomes: { failed: 1, created: 1 } };
    await writeRows(`${file}.checkpoint.json`, { run: before, written: error.length, state });
    const { stdout, stderr } = await importInto(project, file, '--from', 'jsonl');
    expect(stderr).toContain('Going on after 2 users.');
    expect(stdout).toContain('4 users: 1 failed, 3 created.');
    expect(await readFile(at(`${file}.errors.jsonl`), 'utf8')).toBe(error);
    expect(await find(project, { external_id: '0' })).toBeUndefined();
    expect(await find(project, { external_id: '2' })).toBeDefined();
    expect(await has(`${file}.checkpoint.json`)).toBe(false);
  });

  test.each([
    [['--url', 'http://localhost:1'], 'at http://localhost:1 from'],
    [['--providers', 'google'], /from jsonl, flags [\w-]{12},/],
  ])('refuses the checkpoint of a run with other flags (%j)', async (flags, said) => {
    const project = await world.newProject();
    const file = `flags${flags[0]}.jsonl`;
    await writeRows(file, ...many(1));
    const { size, mtime } = await stat(at(file));
    const before = `users of ${project.project_id} at ${world.url} from jsonl, ${at(file)}, ${size} bytes of ${mtime.toISOString()}, by line feeds`;
    await writeRows(`${file}.checkpoint.json`, {
      run: before,
      written: 0,
      state: { done: 1, failed: 0, outcomes: {} },
    });
    const { stderr, code } = await importInto(project, file, '--from', 'jsonl', ...flags);
    expect(code).toBe(1);
    expect(stderr).toContain(`belongs to another run (${before}). Delete it to start this one (`);
    expect(stderr).toMatch(said);
    // A dry run neither resumes nor ends an interrupted run.
    const dry = await importInto(project, file, '--from', 'jsonl', '--dry-run');
    expect(dry.stdout).toBe('1 users: 1 would be created.\n');
    expect(await has(`${file}.checkpoint.json`)).toBe(true);
  });

  test('with an invalid secret fails, and keeps its checkpoint', async () => {
    await writeRows('secret.jsonl', ...many(1));
    const { project_id } = world.project;
    const secret = `wsk_${'A'.repeat(49)}`;
    const nobody = { project_id, secret, basic: '' };
    const { stderr, code } = await importInto(nobody, 'secret.jsonl', '--from', 'jsonl');
    expect([stderr, code]).toEqual([
      `The service does not accept the secret of ${project_id}.\n`,
      1,
    ]);
    expect(await has('secret.jsonl.checkpoint.json')).toBe(true);
  });
});

test.each([
  [[], 'Pass one FILE.'],
  [['x', '--from', 'okta'], 'Pass --from with one of clerk, auth0, cognito, firebase,'],
  [['x', '--from', 'csv'], 'Pass --project ID.\nPass --stack NAME, --local or --url URL.'],
  [['x', '--from', 'csv', '--project', 'p', '--stack', 's', '--local'], 'Pass --stack alone'],
  [['x', '--from', 'csv', '--passwords', 'y'], 'Pass --passwords only together with --from auth0.'],
  [
    ['nothing.csv', '--from', 'csv', '--project', 'p', '--url', 'http://x.example.com'],
    'nothing.csv cannot be read',
  ],
])('refuses the flags %j', async (flags, said) => {
  const { stderr, code } = await call(main, flags, { env: { PROJECT_SECRET: 'x' } });
  expect([stderr, code]).toEqual([expect.stringContaining(said), 1]);
});

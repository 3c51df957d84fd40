import { readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { formats } from '../../bin/import/formats.ts';
import { main } from '../../bin/users-import.ts';
import { startWorld, type TestProject } from '../support/world.ts';
import { newFiles } from './folder.ts';
import { call } from './run.ts';

/** The final remarks of a run about users who were imported incompletely. */
const world = await startWorld({ subscribers: false });
const google = {
  issuer: 'https://accounts.example.com',
  jwks_uri: 'https://accounts.example.com/keys',
  client_ids: ['id'],
};

const { at, writeRows } = newFiles();

async function importLines(
  { project_id, secret }: TestProject,
  name: string,
  rows: readonly object[],
  ...flags: string[]
) {
  await writeRows(name, ...rows);
  return call(main, [at(name), '--project', project_id, '--url', world.url, ...flags], {
    env: { PROJECT_SECRET: secret },
  });
}

const user = (n: number, ...providers: string[]) => ({
  user_id: `${providers[0]}|${n}`,
  email: `n${n}@remarks.example.com`,
  identities: providers.map((provider) => ({ provider, user_id: `${n}` })),
});

test('counts the accounts at providers that --providers leaves out, with the flag to add them', async () => {
  const project = await world.newProject({ identity_providers: { google } });
  const rows = [
    user(1, 'auth0', 'google-oauth2', 'facebook'),
    user(2, 'google-oauth2'),
    user(3, 'email'),
    { ...user(4, 'google-oauth2'), email: 'not an e-mail' },
  ];
  const left = (list: string, flag: string) =>
    `Left out, accounts at identity providers: ${list}. Pass --providers ${flag}, of these the ones that the project has, to import users with them; users who exist are not changed.\n`;
  const both = left('2 at google, 1 at facebook', 'google,facebook');
  const dry = await importLines(project, 'left.ndjson', rows, '--from', 'auth0', '--dry-run');
  expect(dry.stdout).toMatch(/^4 users: 3 would be created, 1 failed\./);
  expect(dry.stdout).toContain(`\n${both}`);
  const named = ['--from', 'auth0', '--providers', 'google'];
  const { stdout } = await importLines(project, 'left.ndjson', rows, ...named);
  expect(stdout).toContain(`\n${left('1 at facebook', 'facebook')}`);
});

test.each([
  [
    'cognito',
    {
      Attributes: [
        {
          Name: 'identities',
          Value: JSON.stringify([
            { providerType: 'SignInWithApple', providerName: 'SignInWithApple', userId: '1' },
            { providerType: 'OIDC', providerName: 'Okta', userId: '1' },
            { providerType: 'SAML', providerName: 'adfs', userId: '1' },
          ]),
        },
      ],
    },
    ['apple', 'okta', 'adfs'],
  ],
  [
    'firebase',
    {
      providerUserInfo: [
        ...['google.com', 'password', 'phone', 'github.com', 'facebook.com'],
        ...['oidc.acme-okta', 'saml.adfs'],
      ].map((providerId) => ({ providerId })),
    },
    ['google', 'github', 'facebook', 'acme-okta', 'adfs'],
  ],
  [
    'supabase',
    { identities: '[{"provider":"email"},{"provider":"github"},{"provider":"slack_oidc"}]' },
    ['github', 'slack'],
  ],
  [
    'better-auth',
    {
      ...{ id: 'b1', emailVerified: true },
      accounts: [{ providerId: 'credential' }, { providerId: 'github' }],
    },
    ['github'],
  ],
  [
    'workos',
    {
      ...{ id: 'w1', email: null, email_verified: true },
      identities: ['GitHubOAuth', 'MicrosoftOAuth'].map((provider) => ({ idp_id: '1', provider })),
    },
    ['github', 'microsoft-graph'],
  ],
  [
    'logto',
    {
      ...{ id: 'l1', primaryEmail: null, isSuspended: false, passwordDigest: null },
      identities: { github: { userId: '1' } },
    },
    ['github'],
  ],
  [
    'stack-auth',
    {
      ...{ id: 's1', primary_email: null, primary_email_verified: true },
      restricted_by_admin: false,
      oauth_providers: ['github', 'microsoft'].map((type) => ({ type, allow_sign_in: true })),
    },
    ['github', 'microsoft-graph'],
  ],
])(
  "%s: accounts at providers are reported as left out, the provider's own sign-in methods are not",
  (from, given, left) => {
    const found: string[] = [];
    const leaveOut = (provider: string) => found.push(provider);
    formats[from]?.toUser(given, { providers: new Set(), leaveOut });
    expect(found).toEqual(left);
  },
);

test('counts users with neither an e-mail nor an account at a provider, with their lines', async () => {
  const project = await world.newProject({ identity_providers: { google } });
  const phone = (n: number) => ({
    user_id: `sms|${n}`,
    phone_number: '+15555550100',
    identities: [{ provider: 'sms', user_id: `${n}` }],
  });
  const { email: _, ...social } = user(1, 'google-oauth2');
  const flags = ['--from', 'auth0', '--providers', 'google'];
  const rows = [user(0, 'google-oauth2'), phone(1), social, phone(2)];
  const few = await importLines(project, 'phones.ndjson', rows, ...flags);
  const said =
    'Users whom only your backend can sign in, because they have neither an e-mail nor an imported account at a provider: ';
  expect([few.stdout, few.code]).toEqual([`4 users: 4 created.\n${said}2 (lines 2, 4).\n`, 0]);
  const more = Array.from({ length: 12 }, (_each, n) => phone(n + 10));
  const many = await importLines(project, 'many.ndjson', more, '--from', 'auth0');
  expect(many.stdout).toContain(`${said}12 (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more).\n`);
});

describe('a run that resumes an interrupted one', () => {
  const resume = async (name: string, remarks: unknown) => {
    const project = await world.newProject();
    const { email: _, ...second } = user(2, 'google-oauth2', 'constructor', '__proto__');
    const rows = [user(1, 'google-oauth2'), second];
    await writeRows(name, ...rows);
    const { size, mtime } = await stat(at(name));
    const place = `${project.project_id} at ${world.url} from auth0`;
    const run = `users of ${place}, ${at(name)}, ${size} bytes of ${mtime.toISOString()}, by line feeds`;
    const state = { done: 1, failed: 0, outcomes: { created: 1 }, ...(remarks as object) };
    const checkpoint = at(`${name}.checkpoint.json`);
    await writeFile(checkpoint, JSON.stringify({ run, written: 0, state }));
    const args = ['--from', 'auth0', '--project', project.project_id, '--url', world.url];
    const env = { PROJECT_SECRET: project.secret };
    return { checkpoint, ...(await call(main, [at(name), ...args], { env })) };
  };

  test('counts the left-out accounts and users of both', async () => {
    const { stdout } = await resume('both-runs.ndjson', {
      remarks: { leftOut: [['google', 1]], noSignIn: { count: 1, lines: [1] } },
    });
    expect(stdout).toContain('2 at google, 1 at constructor, 1 at __proto__. Pass');
    expect(stdout).toContain('at a provider: 2 (lines 1, 2).\n');
  });

  test('accepts a checkpoint of a version without remarks', async () => {
    const { stdout } = await resume('no-remarks.ndjson', {});
    expect(stdout).toContain('1 at google, 1 at constructor');
  });

  test('refuses a checkpoint with remarks of an earlier version', async () => {
    const remarks = { 'account at google': { count: 1, lines: [1] } };
    const { stderr, code, checkpoint } = await resume('earlier.ndjson', { remarks });
    expect([stderr, code]).toEqual([
      `${checkpoint} is of an earlier version of this command. Delete it and run the command again, which starts from the beginning; users who exist are not changed.\n`,
      1,
    ]);
  });
});

test('refuses the second of two users with one e-mail; one line with both accounts works', async () => {
  const project = await world.newProject({ identity_providers: { google } });
  const [first, second] = [user(1, 'auth0'), { ...user(2, 'google-oauth2'), email: user(1).email }];
  const flags = ['--from', 'auth0', '--providers', 'google'];
  const find = async () =>
    (await world.as(project).users.list({ email: first.email })).body as { result: object[] };
  const both = { ...first, identities: [...first.identities, ...second.identities] };
  await importLines(project, 'both.ndjson', [both], ...flags);
  expect((await find()).result).toMatchObject([{ external_id: 'auth0|1', social: 'google' }]);
  const { code } = await importLines(project, 'two.ndjson', [second], ...flags);
  expect(code).toBe(1);
  expect(await readFile(at('two.ndjson.errors.jsonl'), 'utf8')).toContain(
    'email: The e-mail belongs to a user with another external id, auth0|1',
  );
  const pair = [user(3, 'auth0'), { ...user(4, 'auth0'), email: user(3).email }];
  await importLines(project, 'pair.ndjson', pair, '--from', 'auth0');
  expect(await readFile(at('pair.ndjson.errors.jsonl'), 'utf8')).toContain(
    'email: Is that of an earlier user, with the external id auth0|3',
  );
});

test.each([
  [{ done: 1, failed: 1, outcomes: { failed: 1 } }, true],
  [{ done: 0, failed: 0, outcomes: {} }, true],
  [{ done: 2, failed: 1, outcomes: { failed: 1, exists: 1 } }, true],
  [{ done: 2, failed: 1, outcomes: { failed: 1, created: 1 } }, false],
])('the checkpoint %j of a run with other flags allows a new run: %j', async (state, starts) => {
  const project = await world.newProject();
  const name = `bound-${state.done}-${Object.keys(state.outcomes).join('-')}.ndjson`;
  const checkpoint = at(`${name}.checkpoint.json`);
  await writeFile(checkpoint, JSON.stringify({ run: 'another', written: 0, state }));
  const run = await importLines(project, name, [user(1, 'auth0')], '--from', 'auth0');
  expect([run.code, run.stdout]).toEqual(starts ? [0, '1 users: 1 created.\n'] : [1, '']);
  expect(await stat(checkpoint).catch(() => undefined)).toEqual(
    starts ? undefined : expect.anything(),
  );
});

test('--local without a service says how to pass another address', async () => {
  const file = at('left.ndjson');
  const args = ['--from', 'auth0', '--project', 'demo', '--local', '--url', 'http://127.0.0.1:9'];
  const { stderr } = await call(main, [file, ...args]);
  expect(stderr).toBe(
    'Nothing answers at http://127.0.0.1:9: start the service with npm start, or pass --url with the address that it shows, such as --url http://localhost:4000.\n',
  );
});

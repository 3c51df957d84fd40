/** @module-tag alone */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toIsoTime } from '../../bin/import/format.ts';
import { formats } from '../../bin/import/formats.ts';
import { csv, jsonl } from '../../bin/import/from-rows.ts';
import { newFolder } from '../support/folder.ts';

/** What each line of these services has. */
const betterAuth = { id: 'b1', emailVerified: null, accounts: null };
const workos = { id: 'w1', email: null, email_verified: null, identities: null };
const logto = {
  id: 'l1',
  primaryEmail: null,
  isSuspended: false,
  identities: null,
  passwordDigest: null,
};
const stackAuth = {
  id: 's1',
  primary_email: null,
  primary_email_verified: null,
  restricted_by_admin: false,
  oauth_providers: null,
};

const folder = newFolder();

test.each([
  [1_614_834_367_089, '2021-03-04T05:06:07.089Z'],
  ['1614834367089', '2021-03-04T05:06:07.089Z'],
  [1_614_834_367, '2021-03-04T05:06:07.000Z'],
  [1_614_834_367.089, '2021-03-04T05:06:07.089Z'],
  ['1614834367', '2021-03-04T05:06:07.000Z'],
  ['2021-03-04T05:06:07.089Z', '2021-03-04T05:06:07.089Z'],
  ['2021-03-04 05:06:07.089', '2021-03-04T05:06:07.089Z'],
  ['2021-03-04T05:06:07', '2021-03-04T05:06:07.000Z'],
  ['2021-03-04 05:06:07.089123+00', '2021-03-04T05:06:07.089Z'],
  ['2021-03-04 07:06:07+0200', '2021-03-04T05:06:07.000Z'],
  ['2021-03-04T07:06:07.5+02:00', '2021-03-04T05:06:07.500Z'],
  ['2021-03-04', '2021-03-04T00:00:00.000Z'],
  ['Thu, 04 Mar 2021 05:06:07 GMT', '2021-03-04T05:06:07.000Z'],
  ['Mar 4 2021 05:06:07', '2021-03-04T05:06:07.000Z'],
  ['', undefined],
  [null, undefined],
])('the time %j is %j, in every local time zone', (given, time) => {
  // A time zone other than UTC: a text without a zone must not be read as local time.
  const { TZ } = process.env;
  process.env['TZ'] = 'America/New_York';
  try {
    expect(toIsoTime(given, 'created_at')).toBe(time);
  } finally {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  }
});

test.each(['yesterday', true, {}])('%j is refused as a time', (given) => {
  expect(() => toIsoTime(given, 'created_at')).toThrow('created_at: Cannot be read as a time: ');
});

test('a line of a jsonl export keeps the disabled and verified state, identities and metadata', () => {
  const kept = {
    ...{ external_id: 'u1', email: 'ada@example.com', disabled: true },
    ...{ user_metadata: { a: 1 }, app_metadata: { b: 2 }, private_metadata: { c: 3 } },
    identities: [{ provider: 'google', subject: '1' }],
  };
  const line = { uid: 'uid-1', social: 'google', verified: { email: true }, ...kept };
  expect(jsonl.toUser(line, { providers: new Set() })).toEqual({ ...kept, email_verified: true });
});

describe('boolean fields of', () => {
  /** A user of each format with a flag, whether the flag blocks or verifies the user, and which value does so. */
  const attributes = (email_verified: unknown) =>
    Object.entries({ email: 'a@b.example.com', email_verified }).map(([Name, Value]) => ({
      ...{ Name, Value },
    }));
  const [user_id, email] = ['auth0|1', 'a@b.example.com'];
  const cases: [
    from: string,
    field: string,
    user: (given: unknown) => Record<string, unknown>,
    on?: boolean,
  ][] = [
    ['csv', 'disabled', (disabled) => ({ email, disabled })],
    ['csv', 'email_verified', (email_verified) => ({ email, email_verified })],
    ['clerk', 'banned', (banned) => ({ primary_email_address: email, banned })],
    ['auth0', 'blocked', (blocked) => ({ user_id, email, blocked })],
    ['auth0', 'email_verified', (email_verified) => ({ user_id, email, email_verified })],
    ['better-auth', 'banned', (banned) => ({ ...betterAuth, email, banned })],
    ['better-auth', 'emailVerified', (given) => ({ ...betterAuth, email, emailVerified: given })],
    ['workos', 'email_verified', (given) => ({ ...workos, email, email_verified: given })],
    [
      'stack-auth',
      'primary_email_verified',
      (given) => ({ ...stackAuth, primary_email: email, primary_email_verified: given }),
    ],
    ['cognito', 'Enabled', (Enabled) => ({ Enabled, Attributes: attributes('true') }), false],
    ['cognito', 'email_verified', (given) => ({ Attributes: attributes(given) })],
    ['firebase', 'disabled', (disabled) => ({ email, disabled })],
    ['firebase', 'emailVerified', (emailVerified) => ({ email, emailVerified })],
  ];
  const read = (from: string, user: Record<string, unknown>) =>
    formats[from]?.toUser(user, { providers: new Set() }) ?? {};

  test.each(cases)('%s: %s accepts known words only', (from, field, user, on) => {
    const ours = /verified/i.test(field) ? 'email_verified' : 'disabled';
    for (const word of ['true', 'TRUE', 't', '1', 'yes', 'Y', ' y ', true, 1])
      expect(read(from, user(word))[ours] ?? false).toBe(on ?? true);
    for (const word of ['false', 'False', 'f', '0', 'no', 'N', false, 0])
      expect(read(from, user(word))[ours] ?? false).toBe(on === false);
    for (const word of ['', null, undefined]) expect(read(from, user(word))[ours]).toBeUndefined();
    for (const word of ['on', 'X', 'ja', 'ture', 'truee', 'null', '2', 2, [], {}])
      expect(() => read(from, user(word))).toThrow(`${field}: Must be true, t, yes, y or 1`);
  });

  test('supabase: an invalid time of the confirmation is refused', () => {
    const user = { email, email_confirmed_at: 'NULL' };
    expect(() => read('supabase', user)).toThrow(
      'email_confirmed_at: Cannot be read as a time: NULL',
    );
  });
});

test("a file of Auth0's export extension, with other field names, is refused line by line", () => {
  const user = {
    ...{ Id: 'auth0|65f6', Email: 'ada@example.com', 'Email Verified': true, Blocked: true },
    ...{ 'Given Name': 'Ada', 'Created At': '2020-01-01T00:00:00.000Z' },
  };
  const read = () => formats['auth0']?.toUser(user, { providers: new Set() });
  expect(read).toThrow('user_id: Is required; export by POST /api/v2/jobs/users-exports');
});

test('custom attributes of Cognito become app_metadata without their prefix', () => {
  const given = { sub: 's1', 'custom:plan': 'pro', 'custom:seats': '5', 'custom:__proto__': 'x' };
  const Attributes = Object.entries(given).map(([Name, Value]) => ({ Name, Value }));
  const user = formats['cognito']?.toUser({ Enabled: true, Attributes }, { providers: new Set() });
  expect(JSON.stringify(user)).toBe(
    '{"external_id":"s1","app_metadata":{"plan":"pro","seats":"5","__proto__":"x"}}',
  );
  const none = { Attributes: Attributes.slice(0, 1) };
  expect(formats['cognito']?.toUser(none, { providers: new Set() })).not.toHaveProperty(
    'app_metadata',
  );
});

test('the error of a row in a table names all invalid fields', () => {
  const row = { email: 'a@b.example.com', disabled: 'ja', email_verified: 'X', identities: '[{' };
  const others = { urls: '[]', created_at: 'last May' };
  expect(() => csv.toUser({ ...row, ...others }, { providers: new Set() })).toThrow(
    /^email_verified: Must be true, [^;]+; disabled: Must be true, [^;]+; identities: Is no JSON; created_at: Cannot be read as a time: last May$/,
  );
  const created = { email: 'a@b.example.com', created_at: '2023-01-02 03:04:05+01' };
  expect(csv.toUser(created, { providers: new Set() })).toEqual({
    ...created,
    created_at: '2023-01-02T02:04:05.000Z',
  });
});

test.each([
  ['clerk', { id: 'x1', verified_email_addresses: 'ada@example.com' }],
  ['auth0', { user_id: 'x1', email: 'ada@example.com' }],
  ['cognito', { Username: 'x1', Attributes: [{ Name: 'email', Value: 'ada@example.com' }] }],
  ['firebase', { localId: 'x1', email: 'ada@example.com' }],
  ['supabase', { id: 'x1', email: 'ada@example.com' }],
  ['better-auth', { ...betterAuth, id: 'x1', email: 'ada@example.com' }],
  ['workos', { ...workos, id: 'x1', email: 'ada@example.com' }],
  ['logto', { ...logto, id: 'x1', primaryEmail: 'ada@example.com' }],
  ['stack-auth', { ...stackAuth, id: 'x1', primary_email: 'ada@example.com' }],
  ['jsonl', { external_id: 'x1', email: 'ada@example.com' }],
  ['csv', { external_id: 'x1', email: 'ada@example.com' }],
])('%s: the name of a record in errors is that of the imported user', (from, user) => {
  const name = { email: 'ada@example.com', external_id: 'x1' };
  expect(formats[from]?.nameOf(user)).toEqual(name);
  expect(formats[from]?.toUser(user, { providers: new Set() })).toMatchObject(name);
});

describe('a password hash of Firebase', () => {
  const signerKey = 'c2lnbmVy';
  const options = {
    providers: new Set<string>(),
    firebase: { signerKey, saltSeparator: 'Bw==', rounds: 8, memCost: 14 },
  };
  const read = (more: object) => formats['firebase']?.toUser({ localId: 'f1', ...more }, options);

  test.each([
    ['is redacted', { passwordHash: 'UkVEQUNURUQ=' }, 'passwordHash: Is redacted; export with'],
    [
      'is redacted, with a salt',
      { passwordHash: 'UkVEQUNURUQ=', salt: 'c2FsdA==' },
      'passwordHash: ',
    ],
    ['has no salt', { passwordHash: 'aGFzaA==' }, 'salt: Is required with a passwordHash'],
    ['has an empty salt', { passwordHash: 'aGFzaA==', salt: '' }, 'salt: Is required'],
  ])('that %s is refused, so that no user is imported without a password', (_, user, said) => {
    expect(() => read(user)).toThrow(said);
  });

  test.each([{}, { salt: 'c2FsdA==' }, { passwordHash: '' }, { passwordHash: '', salt: '' }])(
    'is absent in %j',
    (user) => {
      expect(read(user)).toEqual({ external_id: 'f1' });
    },
  );

  test('with a salt is converted with the parameters', () => {
    expect(read({ passwordHash: 'aGFzaA==', salt: 'c2FsdA==' })).toEqual({
      external_id: 'f1',
      password_hash: `$firebase-scrypt$ln=14,r=8,ss=Bw,sk=${signerKey}$c2FsdA$aGFzaA`,
    });
  });
});

test.each([
  [
    'clerk',
    'id,email,encrypted_password',
    'primary_email_address, verified_email_addresses, password',
  ],
  [
    'supabase',
    'id,email,created_at',
    'encrypted_password, email_confirmed_at, banned_until; docs/guide',
  ],
])('a file without the columns of %s is refused as a whole', async (from, header, said) => {
  const file = join(folder, 'columns.csv');
  await writeFile(file, `\uFEFF${header}\r\n1,2,3\r\n`);
  await expect(formats[from]?.read(file).next()).rejects.toThrow(`${file}: has no column ${said}`);
});

test.each([
  ['better-auth', 'id, emailVerified, accounts'],
  ['workos', 'id, identities'],
  ['logto', 'id, primaryEmail, identities, passwordDigest'],
  ['stack-auth', 'id, primary_email, primary_email_verified, oauth_providers'],
])('a line that is not of %s is refused, and names the missing fields', (from, missing) => {
  const line = { user_id: 'auth0|1', email: 'ada@example.com', email_verified: true };
  expect(() => formats[from]?.toUser(line, { providers: new Set() })).toThrow(
    `Has no ${missing}, as the guide's export has`,
  );
});

test.each([
  ['auth0', { user_id: 'a|1', identities: {} }, 'identities: Must be a list of objects'],
  ['better-auth', { ...betterAuth, accounts: '{}' }, 'accounts: Must be a list of objects'],
  ['better-auth', { ...betterAuth, accounts: [null] }, 'accounts: Must be a list of objects'],
  ['cognito', { Username: 'c1', Attributes: {} }, 'Attributes: Must be a list of objects'],
  [
    'cognito',
    { Username: 'c1', Attributes: [{ Name: 'identities', Value: '{}' }] },
    'identities: Must be a list of objects',
  ],
  ['firebase', { localId: 'f1', providerUserInfo: {} }, 'providerUserInfo: Must be a list'],
  ['supabase', { id: 's1', identities: '"google"' }, 'identities: Must be a list of objects'],
  ['workos', { ...workos, identities: {} }, 'identities: Must be a list of objects'],
  ['workos', { ...workos, identities: ['x'] }, 'identities: Must be a list of objects'],
  ['workos', { ...workos, identities: [{ provider: 'GoogleOAuth' }] }, 'google without its id'],
  ['logto', { ...logto, identities: [] }, 'identities: Must be an object'],
  ['logto', { ...logto, identities: { google: {} } }, 'Has an account at google without its id'],
  ['logto', { ...logto, passwordDigest: {} }, 'passwordDigest: Must be a text'],
  ['logto', { ...logto, isSuspended: null }, 'isSuspended: Must be true or false'],
  ['logto', { ...logto, isSuspended: 'perhaps' }, 'isSuspended: Must be true, t, yes'],
  ['stack-auth', { ...stackAuth, oauth_providers: '[]' }, 'oauth_providers: Must be a list'],
  [
    'stack-auth',
    { ...stackAuth, oauth_providers: [{}] },
    'oauth_providers: allow_sign_in: Must be',
  ],
  ['stack-auth', { ...stackAuth, password_hash: 1 }, 'password_hash: Must be a text'],
  ['stack-auth', { ...stackAuth, restricted_by_admin: '' }, 'restricted_by_admin: Must be true'],
])(
  'a user of %s who would lose an account, a hash or a block is refused: %j',
  (from, user, said) => {
    const read = () => formats[from]?.toUser(user, { providers: new Set(['google']) });
    expect(read).toThrow(said);
  },
);

test.each([
  ['auth0', { user_id: 'a|1' }],
  ['auth0', { user_id: 'a|1', identities: null }],
  ['better-auth', betterAuth],
  ['better-auth', { ...betterAuth, accounts: '' }],
  ['cognito', { Username: 'c1' }],
  ['cognito', { Username: 'c1', Attributes: [{ Name: 'identities', Value: '' }] }],
  ['cognito', { Username: 'c1', Attributes: [{ Name: 'identities', Value: '[]' }] }],
  ['firebase', { localId: 'f1' }],
  ['firebase', { localId: 'f1', providerUserInfo: [] }],
  ['supabase', { id: 's1' }],
  ['supabase', { id: 's1', identities: 'null' }],
  ['workos', workos],
  ['logto', logto],
  ['stack-auth', stackAuth],
])('a user of %s without accounts is imported without: %j', (from, user) => {
  const row = formats[from]?.toUser(user, { providers: new Set(['google']) });
  expect(row).toHaveProperty('external_id');
  expect(row).not.toHaveProperty('identities');
});

test('an account that Stack Auth has for its tokens alone is not imported', () => {
  const account = { type: 'google', account_id: '1', allow_sign_in: true };
  const oauth_providers = [account, { ...account, account_id: '2', allow_sign_in: false }];
  const read = formats['stack-auth']?.toUser(
    { ...stackAuth, oauth_providers },
    { providers: new Set(['google']) },
  );
  expect(read).toMatchObject({ identities: [{ provider: 'google', subject: '1' }] });
});

test('an e-mail of Logto is verified unless the operator says otherwise', () => {
  const read = (more: object) =>
    formats['logto']?.toUser(
      { ...logto, primaryEmail: 'a@b.example.com', ...more },
      { providers: new Set() },
    );
  expect(read({})).toHaveProperty('email_verified', true);
  expect(read({ email_verified: false })).not.toHaveProperty('email_verified');
});

test.each([
  [{ banned: true }, true],
  [{ banned: true, banExpires: null }, true],
  [{ banned: true, banExpires: '2999-01-01T00:00:00' }, true],
  [{ banned: true, banExpires: '2021-01-01T00:00:00' }, undefined],
  [{ banned: false, banExpires: '2999-01-01T00:00:00' }, undefined],
])('a user of Better Auth with %j is disabled: %j', (ban, disabled) => {
  const user = formats['better-auth']?.toUser({ ...betterAuth, ...ban }, { providers: new Set() });
  expect(user?.['disabled']).toBe(disabled);
});

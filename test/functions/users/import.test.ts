import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { Event } from '#shared/model/events.ts';
import { expectProblem } from '../../support/expectations.ts';
import { hashesOf, published } from '../../support/imported-hashes.ts';
import { goodPassword, type Started, signInProject } from '../../support/sign-in.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();

type Users = { result: { uid: string; email: string }[] };
type Result = {
  dry_run: boolean;
  created: number;
  exists: number;
  failed: number;
  unprocessed: number;
  results: { outcome: string; uid?: string; errors?: { pointer: string; detail: string }[] }[];
};
const importAs = ({ basic }: TestProject, users: unknown[], more: object = {}) =>
  world.call<Result>({
    method: 'POST',
    path: '/users/import',
    auth: basic,
    body: { users, ...more },
  });
const google = {
  issuer: 'https://accounts.google.com',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  client_ids: ['client'],
};
const ada = {
  email: 'Ada@example.com',
  email_verified: true,
  external_id: 'crm-1',
  display_name: 'Ada',
  created_at: '2021-02-03T04:05:06.789Z',
};

describe('an imported user', () => {
  test('has every field of the row and the events of a new user, and gets no mail', async () => {
    const project = await world.newProject({ identity_providers: { google } });
    const identities = [{ provider: 'google', subject: '1101' }];
    const { status, body } = await importAs(project, [
      { ...ada, identities, disabled: true, app_metadata: { plan: 'pro' }, private_metadata: {} },
    ]);
    expect(status).toBe(200);
    const [{ uid = '' } = {}] = body.results;
    expect(body).toEqual({
      ...{ dry_run: false, created: 1, exists: 0, failed: 0, unprocessed: 0 },
      results: [{ outcome: 'created', uid }],
    });
    const user = (await world.as(project).users.get({ uid })).body;
    expect(user).toMatchObject({
      ...{ email: ada.email, display_name: 'Ada', created_at: ada.created_at, social: 'google' },
      ...{ verified: { email: true }, sign_in_methods: { google: { enabled: true } } },
    });
    const stored = await world.table.get(keys.user(uid));
    expect(stored).toMatchObject({ external_id: 'crm-1', disabled: true });
    const link = keys.identity(project.project_id, google.issuer, '1101');
    expect(await world.table.get(link)).toMatchObject({ uid, provider: 'google' });
    const own = await world.as(project).users.getMetadata({ uid });
    expect(own.body).toEqual({ app_metadata: { plan: 'pro' } });
    await world.drainStream();
    const events = ((await world.as(project).events.list({})).body as { result: Event[] }).result;
    expect(events.map(({ type }) => type)).toEqual([
      'user.created',
      'user.metadata_changed',
      'user.identity_linked',
    ]);
    expect(events[0]?.actor).toMatchObject({ kind: 'key' });
    expect(world.mails().filter(({ to }) => to === ada.email)).toEqual([]);
  });

  test('is listed by the given time of creation', async () => {
    const project = await world.newProject();
    await importAs(project, [ada, { email: 'now@example.com' }]);
    await world.drainStream();
    const { result } = (await world.as(project).users.list({ order: 'asc' })).body as Users;
    expect(result.map(({ email }) => email)).toEqual([ada.email, 'now@example.com']);
  });

  test.each([
    ...published,
    ...Object.entries(hashesOf).map(
      ([name, hash]) => [name, goodPassword, hash(goodPassword)] as const,
    ),
  ])(
    'signs in with a password hashed by %s, which is then rehashed with argon2id',
    async (_, password, hash) => {
      const at = await signInProject(world, { min_password_length: 15 });
      const { body } = await importAs(at.project, [{ ...ada, password_hash: hash }]);
      const [{ uid = '' } = {}] = body.results;
      const signIn = (given: string) =>
        at.post<Started>('/sessions/password', { email: ada.email, password: given });
      expectProblem(await signIn(`${password}.`), 'invalid_credentials');
      expect(await world.table.get(keys.password(uid))).toMatchObject({ hash });
      const { status, body: started } = await signIn(password);
      expect([status, started.uid]).toEqual([201, uid]);
      const after = await world.table.get(keys.password(uid));
      expect(after).toMatchObject({
        hash: expect.stringMatching(/^\$argon2id\$v=19\$m=8,t=1,p=1/),
      });
      expect((await signIn(password)).status).toBe(201);
      expectProblem(await signIn(`${password}.`), 'invalid_credentials');
    },
  );

  test('can change an imported password', async () => {
    const at = await signInProject(world);
    const hash = hashesOf['pbkdf2-sha256'](goodPassword);
    await importAs(at.project, [{ ...ada, password_hash: hash }]);
    const { bearer } = await at.signInByCode(ada.email);
    const change = (current_password: string) =>
      world
        .as(bearer)
        .passwords.change({ current_password, new_password: 'another long password' });
    expectProblem(await change('wrong'), 'invalid_credentials');
    expect((await change(goodPassword)).status).toBe(200);
    expect((await at.signIn(ada.email, 'another long password')).email).toBe(ada.email);
  });
});

describe('a row for an existing user', () => {
  test('changes nothing, matched by e-mail in any capitals or by external id', async () => {
    const project = await world.newProject();
    const first = await importAs(project, [ada, { external_id: 'crm-2' }]);
    const [one, two] = first.body.results;
    const before = await world.table.query(`USER#${one?.uid}`);
    const again = await importAs(project, [
      { email: 'ADA@EXAMPLE.COM', display_name: 'Another' },
      { external_id: 'crm-2', email: 'new@example.com' },
    ]);
    expect(again.body).toMatchObject({ created: 0, exists: 2, failed: 0 });
    expect(again.body.results).toEqual([
      { outcome: 'exists', uid: one?.uid },
      { outcome: 'exists', uid: two?.uid },
    ]);
    const later = await importAs(project, [{ email: ada.email, external_id: 'crm-1' }]);
    expect(later.body.results).toEqual([{ outcome: 'exists', uid: one?.uid }]);
    expect(await world.table.query(`USER#${one?.uid}`)).toEqual(before);
  });

  test('fails with the external id of one user and the e-mail of another', async () => {
    const project = await world.newProject();
    await importAs(project, [ada, { external_id: 'crm-2' }]);
    const { body } = await importAs(project, [{ ...ada, external_id: 'crm-2' }]);
    expect(body.results).toEqual([
      {
        outcome: 'failed',
        errors: [
          {
            pointer: '/body/users/0/external_id',
            detail: 'Belongs to another user than the e-mail',
          },
        ],
      },
    ]);
  });

  test('fails with another external id than that of the user', async () => {
    const project = await world.newProject();
    await importAs(project, [ada, { email: 'signed-up@example.com' }]);
    const rows = [
      { email: ada.email, external_id: 'crm-2' },
      // This user has no external id.
      { email: 'signed-up@example.com', external_id: 'crm-3' },
    ];
    for (const dry_run of [true, false]) {
      const { body } = await importAs(project, rows, { dry_run });
      expect(body.results).toEqual([
        {
          outcome: 'failed',
          errors: [
            {
              pointer: '/body/users/0/email',
              detail: `The e-mail belongs to a user with another external id, ${ada.external_id}`,
            },
          ],
        },
        { outcome: 'exists', uid: expect.any(String) },
      ]);
    }
  });

  test('of another project creates a new user', async () => {
    const [one, other] = [await world.newProject(), await world.newProject()];
    const uids = [];
    for (const project of [one, other]) {
      const { body } = await importAs(project, [ada]);
      expect(body.created).toBe(1);
      uids.push(body.results[0]?.uid);
    }
    expect(uids[0]).not.toBe(uids[1]);
  });

  test('creates the user once, even in concurrent requests', async () => {
    const project = await world.newProject();
    const rows = Array.from({ length: 5 }, (_, i) => ({ email: `many-${i}@example.com` }));
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        importAs(project, i % 2 === 0 ? rows : rows.toReversed()),
      ),
    );
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(5);
    expect(answers.reduce((sum, { body }) => sum + body.exists, 0)).toBe(25);
    const uids = answers.flatMap(({ body }) => body.results.map(({ uid }) => uid));
    expect(new Set(uids).size).toBe(5);
  });
});

describe('a failing row', () => {
  test('has an error for every invalid field, and does not stop other rows', async () => {
    const project = await world.newProject({ identity_providers: { google } });
    const taken = { provider: 'google', subject: 'taken' };
    await importAs(project, [{ external_id: 'linked', identities: [taken] }]);
    const { status, body } = await importAs(project, [
      { email: 'nobody', password_hash: 'secret', disabled: 'yes', nickname: 'N' },
      { email: 'right@example.com' },
      7,
      {},
      { email: 'future@example.com', created_at: '2999-01-01T00:00:00.000Z' },
      {
        email: 'linked@example.com',
        identities: [taken, { provider: 'other', subject: '1' }],
      },
      { email: 'Right@example.com', external_id: 'crm-9' },
      { email: 'twice@example.com', external_id: 'crm-1' },
      { email: 'twice@example.com', external_id: 'crm-2' },
      { email: 'other@example.com', external_id: 'crm-1' },
      { email: 'TWICE@example.com', external_id: 'crm-1' },
      // In UTC these are the years 10000 and -1.
      { email: 'late@example.com', created_at: '9999-12-31T23:59:59-01:00' },
      { email: 'early@example.com', created_at: '0000-01-01T00:00:00+01:00' },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ created: 2, failed: 11 });
    const errors = body.results.map(
      (each) => each.errors?.map(({ pointer, detail }) => `${pointer}: ${detail}`) ?? each.outcome,
    );
    expect(errors).toEqual([
      [
        expect.stringMatching(/^\/body\/users\/0\/password_hash: Must begin with \$2b\$/),
        '/body/users/0/disabled: Must be true or false',
        '/body/users/0/nickname: Unknown field',
        // Reported after the others, because the check needs a list that is loaded.
        '/body/users/0/email: Must be an e-mail address under a registrable domain',
      ],
      'created',
      ['/body/users/2: Must be an object'],
      ['/body/users/3/email: Is required, unless external_id is given'],
      ['/body/users/4/created_at: Must not be in the future'],
      [
        '/body/users/5/identities/1/provider: Must be an identity provider of the project',
        '/body/users/5/identities/0: Is linked with another user',
      ],
      ['/body/users/6/email: Is that of an earlier user'],
      'created',
      ['/body/users/8/email: Is that of an earlier user, with the external id crm-1'],
      ['/body/users/9/external_id: Is that of an earlier user, with the e-mail twice@example.com'],
      [
        '/body/users/10/email: Is that of an earlier user',
        '/body/users/10/external_id: Is that of an earlier user',
      ],
      ['/body/users/11/created_at: Must be in the years 0 to 9999 of UTC'],
      ['/body/users/12/created_at: Must be in the years 0 to 9999 of UTC'],
    ]);
    expect(JSON.stringify(body)).not.toContain('"secret"');
  });

  test('includes a password hash of a ninth kind; the eight known kinds can still be imported', async () => {
    const project = await world.newProject();
    const row = (n: number) => ({
      email: `kind-${n}@example.com`,
      password_hash: hashesOf['pbkdf2-sha256']('x', n),
    });
    const first = await importAs(
      project,
      Array.from({ length: 9 }, (_, n) => row(n + 1)),
    );
    expect(first.body).toMatchObject({ created: 8, failed: 1 });
    expect(first.body.results[8]?.errors?.[0]?.pointer).toBe('/body/users/8/password_hash');
    // A kind that the project has can still be imported.
    const more = await importAs(project, [{ ...row(3), email: 'third@example.com' }]);
    expect(more.body.created).toBe(1);
  });

  test.each([{ dry_run: true }, { dry_run: false }])(
    'does not count towards the eight kinds of hash, and spellings of one kind count once: %j',
    async (more) => {
      const project = await world.newProject();
      await importAs(project, [ada]);
      const hash = (n: number) => hashesOf['pbkdf2-sha256']('x', n);
      const none = [{ provider: 'none', subject: '1' }];
      const rows = [
        { ...ada, password_hash: hash(1) },
        ...Array.from({ length: 8 }, (_, n) => ({
          ...{ email: `none-${n}@example.com`, identities: none, password_hash: hash(n + 11) },
        })),
        ...['2a', '2b', '2y'].map((name) => ({
          ...{ email: `${name}@example.com`, password_hash: `$${name}$04$${'.'.repeat(53)}` },
        })),
        ...Array.from({ length: 8 }, (_, n) => ({
          ...{ email: `kind-${n}@example.com`, password_hash: hash(n + 21) },
        })),
      ];
      const { body } = await importAs(project, rows, more);
      expect(body).toMatchObject({ exists: 1, failed: 9, created: 10 });
      const stored = await world.table.get(keys.importedHashes(project.project_id));
      expect(stored?.['kinds'] ?? []).toHaveLength(more.dry_run ? 0 : 8);
    },
  );

  test('includes the same account at two providers of one issuer, and does not stop other rows', async () => {
    const project = await world.newProject({ identity_providers: { google, again: google } });
    const account = (provider: string, subject = '1') => ({ provider, subject });
    const { status, body } = await importAs(project, [
      { email: 'twice@example.com', identities: [account('google'), account('again')] },
      { email: 'two@example.com', identities: [account('google'), account('again', '2')] },
    ]);
    expect(status).toBe(200);
    expect(body.results[0]?.errors?.map(({ pointer }) => pointer)).toEqual([
      '/body/users/0/identities/1',
    ]);
    expect(body.results[1]?.outcome).toBe('created');
  });
});

test('a dry run writes nothing and returns the outcomes', async () => {
  const project = await world.newProject();
  await importAs(project, [ada]);
  const hash = hashesOf.scrypt('x');
  const rows = [ada, { email: 'new@example.com', password_hash: hash }, { email: 'nobody' }];
  const { body } = await importAs(project, rows, { dry_run: true });
  expect(body).toMatchObject({ dry_run: true, created: 1, exists: 1, failed: 1 });
  expect(body.results[1]).toEqual({ outcome: 'created' });
  const { body: after } = await world.as(project).users.list({ email: 'new@example.com' });
  expect((after as Users).result).toEqual([]);
  expect(await world.table.get(keys.importedHashes(project.project_id))).toBeUndefined();
});

test('creates 100 users in one request, and replays the response for its Idempotency-Key', async () => {
  const project = await world.newProject();
  const users = Array.from({ length: 100 }, (_, n) => ({
    email: `user-${n}@example.com`,
    external_id: `user-${n}`,
  }));
  const send = () =>
    world.call<Result>({
      method: 'POST',
      path: '/users/import',
      auth: project.basic,
      headers: { 'idempotency-key': 'import-of-100-users' },
      body: { users },
    });
  const first = await send();
  expect(first.body).toMatchObject({ created: 100, unprocessed: 0 });
  expect((await send()).body).toEqual(first.body);
});

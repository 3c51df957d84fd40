import { expect, test } from 'vitest';
import { aTime, expectProblem, unknownId } from '../../support/expectations.ts';
import { aSecret, sentenceOf } from '../../support/operator-answers.ts';
import { pass } from '../../support/started.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

type Secret = { secret_id: string; created_at: string; last_used_on?: string | null };
type Answer = { project_id: string; secret: string; secrets: Secret[] };

const world = await startWorld();
const operate = async (request: object) => (await world.operate(request)) as Answer;
const on = (action: string, { project_id }: { project_id: string }, more: object = {}) =>
  operate({ action, project_id, ...more });
const add = (project: { project_id: string }) => on('create-secret', project);
const list = (project: { project_id: string }) => on('list-secrets', project);
const revoke = (project: { project_id: string }, secret_id = '') =>
  on('revoke-secret', project, { secret_id });
const today = () => new Date().toISOString().slice(0, 10);
const use = (project: TestProject, secret = project.secret) =>
  world.as(world.basic({ ...project, secret })).workspaces.list({ user_id: unknownId });
/** Whether the secret authenticates the project. */
const opens = async (project: TestProject, secret?: string) => {
  const answer = await use(project, secret);
  expectProblem(answer, answer.status === 401 ? 'unauthenticated' : 'not_found');
  return answer.status === 404;
};
const aSummary = ({ project_id }: TestProject, secrets: number) => ({
  project_id,
  name: 'Test',
  invitation_base_url: 'https://example.invalid/join',
  create_users_on_get: true,
  created_at: aTime(),
  modified_at: aTime(),
  secrets: Array.from({ length: secrets }, aSecret),
});
const usesOf = async ({ project_id }: TestProject) =>
  (await world.table.all()).filter(({ pk }) => pk === `SECRET_USE#${project_id}`);

test('a secret is added to the others and returned once', async () => {
  const project = await world.newProject();
  const { secret, ...summary } = await add(project);
  expect(secret).toMatch(/^wsk_[\w-]{49}$/);
  expect(summary).toEqual(aSummary(project, 2));
  expect(await opens(project, secret)).toBe(true);
  expect(await opens(project)).toBe(true);
  expect(JSON.stringify(await world.table.all())).not.toContain(secret.slice(4, -6));
});

test('up to ten secrets are live; the eleventh is refused and nothing changes', async () => {
  const project = await world.newProject();
  for (let i = 0; i < 9; i += 1) await add(project);
  const before = await list(project);
  expect(before.secrets).toHaveLength(10);
  expect(await sentenceOf(add(project))).toBe(
    `The project ${project.project_id} has 10 secrets, which is the limit: revoke one first.`,
  );
  expect(await list(project)).toEqual(before);
  await revoke(project, before.secrets[3]?.secret_id);
  expect((await add(project)).secrets).toHaveLength(10);
});

test('an expiring secret is listed with name and expiry, refused after it, and then makes room', async () => {
  const project = await world.newProject();
  for (let i = 0; i < 8; i += 1) await add(project);
  const made = await on('create-secret', project, { name: 'console', expires_in: 60 });
  const expires_at = aTime();
  expect(made.secrets[0]).toEqual({ ...aSecret(), name: 'console', expires_at });
  expect((await list(project)).secrets[0]).toMatchObject({ name: 'console', expires_at });
  expect(await opens(project, made.secret)).toBe(true);
  expect(await sentenceOf(add(project))).toContain('has 10 secrets');
  pass(60_000);
  expect(await opens(project, made.secret)).toBe(false);
  const { secrets } = await add(project);
  expect(secrets).toHaveLength(10);
  expect(secrets.filter(({ secret_id }) => secret_id === made.secrets[0]?.secret_id)).toEqual([]);
});

test('the limits of a secret are listed, and can be changed alone', async () => {
  const project = await world.newProject();
  const limits = { scopes: ['workspaces:read'], source_cidrs: ['127.0.0.0/8'] };
  const { secret, secrets } = await on('create-secret', project, { name: 'reports', ...limits });
  expect(secrets[0]).toEqual({ ...aSecret(), name: 'reports', ...limits });
  expect(await opens(project, secret)).toBe(true);
  await use(project);
  const [{ secret_id } = { secret_id: '' }] = secrets;
  const update = (changes: object) => on('update-secret', project, { secret_id, ...changes });
  const changed = await update({ name: 'graphs', scopes: null, source_cidrs: ['10.0.0.0/8'] });
  const graphs = { ...aSecret(), secret_id, name: 'graphs', source_cidrs: ['10.0.0.0/8'] };
  expect(changed.secrets).toEqual([graphs, aSecret()]);
  expect((await list(project)).secrets).toEqual([
    { ...graphs, last_used_on: today() },
    { ...aSecret(), last_used_on: today() },
  ]);
  expect(await sentenceOf(on('update-secret', project, { secret_id: '00000000', name: 'x' }))).toBe(
    `The project ${project.project_id} has no secret 00000000.`,
  );
});

test('a repeated scope is stored once', async () => {
  const scopes = ['users:read', 'users:read', 'workspaces:read'];
  const { secrets } = await on('create-secret', await world.newProject(), { scopes });
  expect(secrets[0]).toMatchObject({ scopes: ['users:read', 'workspaces:read'] });
});

test.each(['::ffff:127.0.0.0/104', '0:0:0:0:0:FFFF:7f00:0/104', '::ffff:0:0/96'])(
  '%s is refused as a limit, because no request can come from it',
  async (cidr) => {
    const project = await world.newProject();
    const made = on('create-secret', project, { source_cidrs: ['::/0', cidr] });
    expect(await sentenceOf(made)).toContain('Must be written as a block of IPv4 addresses');
  },
);

test('a change of limits applies within a minute, on instances that have cached the old ones too', async () => {
  const project = await world.newProject();
  const { secret, secrets } = await add(project);
  expect(await opens(project, secret)).toBe(true);
  const { secret_id } = secrets[0] ?? {};
  await on('update-secret', project, { secret_id, scopes: ['users:read'] });
  pass(60_000);
  expectProblem(await use(project, secret), 'insufficient_scope');
});

test.each([
  ['expires', { name: 'console', expires_in: 60 }],
  ['has scopes', { scopes: ['workspaces:*'] }],
])(
  'a rotation keeps a secret that %s beside that of the backend, and ends it with keep: 0',
  async (_, more) => {
    const project = await world.newProject();
    const { secret } = await on('create-secret', project, more);
    await on('rotate-key', project);
    expect([await opens(project), await opens(project, secret)]).toEqual([true, true]);
    // There is no room for another one: none of those makes it.
    for (let i = 3; i < 10; i += 1) await on('create-secret', project, { scopes: ['users:read'] });
    const before = await list(project);
    for (const keep of [2, 9])
      expect(await sentenceOf(on('rotate-key', project, { keep }))).toMatch(/10 secrets, .* limit/);
    expect(await list(project)).toEqual(before);
    expect((await on('rotate-key', project, { keep: 0 })).secrets).toHaveLength(1);
  },
);

test('each secret is listed with the day of its last use, the newest first', async () => {
  const project = await world.newProject();
  expect(await list(project)).toEqual({
    project_id: project.project_id,
    secrets: [{ ...aSecret(), last_used_on: null }],
  });
  await use(project);
  const added = await add(project);
  const [second, first] = added.secrets;
  expect(await list(project)).toEqual({
    project_id: project.project_id,
    secrets: [
      { ...second, last_used_on: null },
      { ...first, last_used_on: today() },
    ],
  });
  pass(86_400_000);
  await use(project, added.secret);
  expect((await list(project)).secrets.map(({ last_used_on }) => last_used_on)).toEqual([
    today(),
    new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  ]);
});

test('a refused secret does not count as used', async () => {
  const project = await world.newProject();
  const other = await world.newProject();
  expect((await use(project, other.secret)).status).toBe(401);
  expect((await use(project, `${project.secret}x`)).status).toBe(401);
  expect(await usesOf(project)).toEqual([]);
});

test('an invalid request counts as a use of its secret', async () => {
  const project = await world.newProject();
  expect((await world.as(project).users.create()).status).toBe(400);
  expect((await list(project)).secrets).toEqual([{ ...aSecret(), last_used_on: today() }]);
});

test('a revoked secret is refused within a minute and its last use deleted; the others stay', async () => {
  const project = await world.newProject();
  const { secret, secrets } = await add(project);
  const [kept, ended] = secrets;
  expect(await Promise.all([opens(project), opens(project, secret)])).toEqual([true, true]);
  expect(await revoke(project, ended?.secret_id)).toEqual({
    ...aSummary(project, 1),
    secrets: [kept],
  });
  expect(await usesOf(project)).toEqual([
    { pk: `SECRET_USE#${project.project_id}`, sk: kept?.secret_id, day: today() },
  ]);
  pass(61_000);
  expect(await Promise.all([opens(project), opens(project, secret)])).toEqual([false, true]);
});

test('the last secret can be revoked, and another one created', async () => {
  const project = await world.newProject();
  const [only] = (await list(project)).secrets;
  expect(await revoke(project, only?.secret_id)).toEqual(aSummary(project, 0));
  expect(await list(project)).toEqual({ project_id: project.project_id, secrets: [] });
  pass(61_000);
  expect(await opens(project)).toBe(false);
  const { secret, secrets } = await add(project);
  expect(secrets).toHaveLength(1);
  pass(1_000);
  expect(await opens(project, secret)).toBe(true);
});

test('rotate-key deletes the last use of the secrets that it ends', async () => {
  const project = await world.newProject();
  await use(project);
  expect(await usesOf(project)).toHaveLength(1);
  await on('rotate-key', project, { keep: 0 });
  expect(await usesOf(project)).toEqual([]);
});

test('revoking an unknown or revoked secret is refused', async () => {
  const project = await world.newProject();
  const { secrets } = await add(project);
  const id = secrets[0]?.secret_id;
  await revoke(project, id);
  for (const each of [id, '00000000'])
    expect(await sentenceOf(revoke(project, each))).toBe(
      `The project ${project.project_id} has no secret ${each}.`,
    );
  expect((await list(project)).secrets).toHaveLength(1);
});

test.each(['create-secret', 'list-secrets', 'revoke-secret'])(
  '%s refuses an unknown project and does not create it',
  async (action) => {
    const more = action === 'revoke-secret' ? { secret_id: '00000000' } : {};
    const request = { action, project_id: 'nobodys', ...more };
    expect(await sentenceOf(operate(request))).toBe('The project nobodys does not exist.');
    expect(await world.table.get({ pk: 'PROJECT#nobodys', sk: 'PROJECT' })).toBeUndefined();
  },
);

test('concurrently, nine secrets are created, the tenth is refused, and none is lost', async () => {
  const project = await world.newProject();
  const made = await Promise.allSettled(Array.from({ length: 10 }, () => add(project)));
  const done = made.filter((each) => each.status === 'fulfilled');
  expect(done).toHaveLength(9);
  expect((await list(project)).secrets).toHaveLength(10);
  pass(61_000);
  const work = await Promise.all(done.map(({ value }) => opens(project, value.secret)));
  expect(work).toEqual(Array.from({ length: 9 }, () => true));
});

test('concurrent revocations each end their secret; of two of the same, one succeeds', async () => {
  const project = await world.newProject();
  for (let i = 0; i < 5; i += 1) await add(project);
  const all = (await list(project)).secrets;
  const ended = all.slice(0, 4).map(({ secret_id }) => secret_id);
  const twice = [...ended, ...ended].map((id) => revoke(project, id));
  const results = await Promise.allSettled(twice);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  expect((await list(project)).secrets).toEqual([
    { ...all[4], last_used_on: null },
    { ...all[5], last_used_on: null },
  ]);
});

test('of two concurrent rotations at most one is refused, to be retried', async () => {
  const { project_id } = await world.newProject();
  const rotations = [1, 2].map(() => on('rotate-key', { project_id }));
  const results = await Promise.allSettled(rotations);
  const lost = results.filter(({ status }) => status === 'rejected');
  // The same if they arrive one after the other.
  expect(lost.length).toBeLessThan(2);
  for (const each of lost as PromiseRejectedResult[])
    expect((each.reason as Error).message).toBe(
      `The project ${project_id} was changed by someone else just now; try again.`,
    );
  expect((await list({ project_id })).secrets).toHaveLength(2);
});

test('a wrong request is refused with the names of its fields', async () => {
  const wrong = { action: 'revoke-secret', project_id: 'A B', secret_id: 'wsk_x', keep: 1 };
  expect(await sentenceOf(operate(wrong))).toMatch(/project_id: .*secret_id: .*keep/);
});

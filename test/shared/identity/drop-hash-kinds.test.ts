import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { hashesOf } from '../../support/imported-hashes.ts';
import { signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
/** Clears an instance's cache of the kinds. */
const forget = () => pass((lifetimes.projectCache + 1) * 1_000);

type Result = {
  kinds: { id: string; algorithm: string }[];
  users: Record<string, number>;
  dropped: string[];
};
const operate = async (action: string, { project_id }: TestProject, more: object = {}) =>
  (await world.operate({ action, project_id, ...more })) as Result;
const retire = async (of: TestProject) => (await operate('retire-hash-kinds', of)).kinds;
const count = async (of: TestProject, uids: string[]) =>
  (await operate('count-hash-kinds', of, { uids })).users;
const drop = async (of: TestProject, ids: string[]) =>
  (await operate('drop-hash-kinds', of, { ids })).dropped;
const stored = async ({ project_id }: TestProject) =>
  (await world.table.get(keys.importedHashes(project_id))) ?? {};

const password = 'correct horse battery staple';
const pbkdf2 = (iterations: number) => hashesOf['pbkdf2-sha256'](password, iterations);
async function importInto(project: TestProject, email: string, password_hash: string) {
  const users = [{ email, password_hash }];
  const { body } = await world.as(project).users.import({ users });
  expect(body).toMatchObject({ created: 1 });
  return String(body.results[0].uid);
}

test('a kind is dropped once its last user has signed in, which replaces the hash', async () => {
  const { project } = await signInProject(world);
  const { project_id } = project;
  const ada = await importInto(project, 'ada@drop.example.com', pbkdf2(1_000));
  const grace = await importInto(project, 'grace@drop.example.com', pbkdf2(1_001));
  const [first, second] = await retire(project);
  expect([first?.algorithm, second?.algorithm]).toEqual(['pbkdf2-sha256', 'pbkdf2-sha256']);
  const [one = '', two = ''] = [first?.id, second?.id];
  expect(await count(project, [ada, grace, ada])).toEqual({ [one]: 1, [two]: 1 });
  const signIn = { project_id, email: 'ada@drop.example.com', password };
  expect((await world.as().passwords.signIn(signIn)).status).toBe(201);
  expect(await count(project, [ada, grace])).toEqual({ [two]: 1 });
  expect(await drop(project, [one])).toEqual([one]);
  expect(await stored(project)).toMatchObject({ kinds: [expect.stringContaining('i=1001')] });
  // The other one still signs in, and its kind is still verified.
  const other = { ...signIn, email: 'grace@drop.example.com' };
  expect((await world.as().passwords.signIn(other)).status).toBe(201);
  expect(await retire(project)).toEqual([second]);
  expect(await drop(project, [one, two])).toEqual([two]);
  expect(await stored(project)).toMatchObject({ kinds: [], retired: [] });
  expect(await retire(project)).toEqual([]);
  // There is room again, even for dropped kinds.
  forget();
  await importInto(project, 'again@drop.example.com', pbkdf2(1_000));
  expect(await stored(project)).toMatchObject({ kinds: [expect.stringContaining('i=1000')] });
});

test('a retired kind that is imported again is not dropped', async () => {
  const project = await world.newProject();
  await importInto(project, 'before@drop.example.com', pbkdf2(1_000));
  const [kind] = await retire(project);
  const { id = '' } = kind ?? {};
  forget();
  await importInto(project, 'meanwhile@drop.example.com', pbkdf2(1_000));
  expect(await drop(project, [id])).toEqual([]);
  const { kinds, retired } = await stored(project);
  expect([kinds, retired]).toEqual([[expect.stringContaining('i=1000')], []]);
});

test('a retired kind still counts towards the limit of kinds per project', async () => {
  const project = await world.newProject();
  const users = Array.from({ length: 8 }, (_, n) => ({
    email: `full-${n}@drop.example.com`,
    password_hash: pbkdf2(1_000 + n),
  }));
  await world.as(project).users.import({ users });
  await retire(project);
  forget();
  const more = [{ email: 'ninth@drop.example.com', password_hash: pbkdf2(2_000) }];
  expect((await world.as(project).users.import({ users: more })).body).toMatchObject({ failed: 1 });
});

test('users of other projects are not counted, and a project without kinds gets none', async () => {
  const [project, other] = [await world.newProject(), await world.newProject()];
  const stranger = await importInto(other, 'ada@drop.example.com', pbkdf2(1_000));
  expect(await count(project, [stranger])).toEqual({});
  expect(await retire(project)).toEqual([]);
  expect(await drop(project, ['x'])).toEqual([]);
  expect(await stored(project)).toEqual({});
  const unknown = { action: 'retire-hash-kinds', project_id: 'nobody' };
  await expect(world.operate(unknown)).rejects.toThrow('does not exist');
});

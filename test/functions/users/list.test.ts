import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { User } from '#shared/model/user-resources.ts';
import { aTime, expectInvalid } from '../../support/expectations.ts';
import { nextOf, pagesFrom } from '../../support/paging.ts';
import { pass } from '../../support/started.ts';
import { startWorld, type TestProject } from '../../support/world.ts';

const world = await startWorld();
type Query = Parameters<ReturnType<typeof world.as>['users']['list']>[0];
const list = async (project: TestProject, query: Query = {}) =>
  (await world.as(project).users.list(query)).body;
const namesOf = ({ result }: { result: User[] }) => result.map((user) => user.display_name);
const make = (project: TestProject, display_name: string, more: object = {}) =>
  world.user({ project, display_name, ...more });

/** Creates users one after the other, so that their times differ. */
async function filled(...names: string[]) {
  const project = await world.newProject();
  for (const name of names) {
    await make(project, name);
    pass(1_000);
  }
  await world.drainStream();
  return project;
}

/** All names, following the Link headers. */
const allNames = async (project: TestProject, path: string): Promise<string[]> =>
  (await pagesFrom(world, path, project.basic)).flatMap(({ body }) => namesOf(body));

/** Moves a user to another month, as if imported. */
async function createdAt({ project_id }: TestProject, user: User, time: string): Promise<void> {
  const { uid, created_at } = user;
  await world.table.update(keys.user(uid), { created_at: time });
  await world.table.delete(keys.directoryEntry('USERS', project_id, created_at, uid));
  await world.table.put({ ...keys.directoryEntry('USERS', project_id, time, uid) });
  await world.table.put({ ...keys.directoryMonth('USERS', project_id, time.slice(0, 7)) });
}

describe('by creation', () => {
  test('200 newest first, as users.get returns them, and none of another project', async () => {
    const project = await filled('Ada', 'Bob');
    await filled('Eve');
    const { users } = world.as(project);
    const { status, body } = await users.list();
    expect([status, body.total, body.count, namesOf(body)]).toEqual([200, 2, 2, ['Bob', 'Ada']]);
    expect(body).not.toHaveProperty('total_is_at_least');
    const [bob] = body.result;
    expect(bob).toEqual((await users.get({ uid: bob?.uid ?? '' })).body);
  });

  test('200 with an empty list for a new project', async () => {
    expect(await list(await world.newProject())).toEqual({ total: 0, count: 0, result: [] });
  });

  test.each(['asc', 'desc'] as const)(
    '200 pages in order %s list each user once',
    async (order) => {
      const names = ['Ada', 'Bob', 'Cyd', 'Dan', 'Eve'];
      const project = await filled(...names);
      const expected = order === 'asc' ? names : names.toReversed();
      for (const limit of [1, 2, 5])
        expect(await allNames(project, `/users?limit=${limit}&order=${order}`)).toEqual(expected);
      const first = await list(project, { limit: 2, order });
      expect(first).toMatchObject({ total: 3, count: 2, total_is_at_least: true });
      const next = nextOf(await world.as(project).users.list({ limit: 2, order })) ?? '';
      const other = next.replace(`order=${order}`, `order=${order === 'asc' ? 'desc' : 'asc'}`);
      expectInvalid(await world.call('GET', other, project.basic), '/query/cursor');
    },
  );

  test('200 pages continue across months, even those without users', async () => {
    const project = await filled('Ada', 'Bob', 'Cyd', 'Dan');
    const { result } = await list(project);
    const times = [
      '2024-02-29T23:59:59.999Z',
      '2024-03-01T00:00:00.000Z',
      '2025-12-31T12:00:00.000Z',
    ];
    for (const [i, time] of times.entries()) await createdAt(project, result[3 - i], time);
    for (const limit of [1, 2, 3, 4]) {
      const path = `/users?limit=${limit}`;
      expect(await allNames(project, path)).toEqual(['Dan', 'Cyd', 'Bob', 'Ada']);
      expect(await allNames(project, `${path}&order=asc`)).toEqual(['Ada', 'Bob', 'Cyd', 'Dan']);
    }
    const between = {
      created_after: '2024-02-29T23:59:59.999Z',
      created_before: '2025-12-31T12:00:00.001Z',
    };
    expect(namesOf(await list(project, between))).toEqual(['Cyd', 'Bob']);
    expect(namesOf(await list(project, { ...between, order: 'asc' }))).toEqual(['Bob', 'Cyd']);
  });

  test('200 in the next month, in each of two projects', async () => {
    const projects = [await filled('Ada'), await filled('Bob')];
    pass(31 * 86_400_000);
    expect(await Promise.all(projects.map((each) => allNames(each, '/users')))).toEqual([
      ['Ada'],
      ['Bob'],
    ]);
  });

  test('200 between created_after and created_before, both exclusive', async () => {
    const project = await filled('Ada', 'Bob', 'Cyd');
    const [cyd, bob, ada] = (await list(project)).result.map((user: User) => user.created_at);
    for (const order of ['asc', 'desc'] as const) {
      const of = async (query: Query) => namesOf(await list(project, { ...query, order }));
      expect(await of({ created_after: ada, created_before: cyd })).toEqual(['Bob']);
      expect(await of({ created_after: bob })).toEqual(['Cyd']);
      expect(await of({ created_before: bob })).toEqual(['Ada']);
      expect(await of({ created_after: cyd })).toEqual([]);
      expect(await of({ created_before: ada })).toEqual([]);
      expect(await of({ created_after: '2020-01-01T00:00:00Z' })).toHaveLength(3);
    }
  });

  test('200 omits a deleted user', async () => {
    const project = await filled('Ada', 'Bob', 'Cyd');
    const [, bob] = (await list(project)).result;
    await world.as(project).users.delete({ uid: bob?.uid ?? '' });
    // Immediately, and after the lists have been updated.
    expect(namesOf(await list(project))).toEqual(['Cyd', 'Ada']);
    await world.drainStream();
    expect(await list(project)).toMatchObject({ total: 2, count: 2 });
    expect((await list(project, { query: 'bob' })).result).toEqual([]);
  });

  test('200 lists a user that an invitation created', async () => {
    const project = await filled();
    const owner = await make(project, 'Ada');
    const { workspace_id } = await world.workspace({ owner });
    await world
      .as(project)
      .invitations.create({ workspace_id, email: 'new@example.com', role: 'member' });
    await world.drainStream();
    expect((await list(project)).result.map(({ email }: User) => email).sort()).toEqual(
      ['new@example.com', owner.email].sort(),
    );
  });
});

describe('by e-mail', () => {
  test('200 finds the user in any capitals; an empty list for an unknown e-mail', async () => {
    const project = await world.newProject();
    const { uid } = await make(project, 'Ada', { email: 'Ada@example.com' });
    const found = await list(project, { email: 'aDA@EXAMPLE.com' });
    expect(found).toMatchObject({ total: 1, count: 1, result: [{ uid, created_at: aTime() }] });
    expect((await list(project, { email: 'bob@example.com' })).result).toEqual([]);
    expect((await list(await world.newProject(), { email: 'ada@example.com' })).result).toEqual([]);
  });
});

describe('by the beginning of a name or e-mail', () => {
  test('200 finds the user by each word, and nobody by the middle of one', async () => {
    const project = await world.newProject();
    await make(project, 'Ada von King', { email: 'ada.king@example.com' });
    await make(project, 'Bob', { email: 'bob@example.com' });
    await world.drainStream();
    const found = async (query: string) => namesOf(await list(project, { query }));
    for (const query of ['ada', 'KING', 'ada v', 'ada.k', 'Ａda'])
      expect([query, await found(query)]).toEqual([query, ['Ada von King']]);
    expect(await found('da')).toEqual([]);
    expect((await list(await world.newProject(), { query: 'ada' })).result).toEqual([]);
  });

  test('200 finds the user by the new name and e-mail, and immediately no longer by the old ones', async () => {
    const project = await world.newProject();
    const { uid } = await make(project, 'Ada', { email: 'ada@example.com' });
    await world.drainStream();
    await world.as(project).users.update({ uid, display_name: 'Countess', email: 'c@example.com' });
    expect((await list(project, { query: 'ada' })).result).toEqual([]);
    await world.drainStream();
    for (const query of ['ada', 'ada@'])
      expect((await list(project, { query })).result).toEqual([]);
    for (const query of ['count', 'c@'])
      expect(namesOf(await list(project, { query }))).toEqual(['Countess']);
  });

  test('200 finds a renamed user by what stays: a word, and an e-mail that begins like the former name', async () => {
    const project = await world.newProject();
    const { uid } = await make(project, 'Bob Ross', { email: 'bob@example.com' });
    await world.drainStream();
    await world.as(project).users.update({ uid, display_name: 'Carl Ross' });
    await world.drainStream();
    for (const query of ['bob', 'ross'])
      expect(namesOf(await list(project, { query }))).toEqual(['Carl Ross']);
  });

  test('200 lists each user once, even if several terms match and pages read more than they return', async () => {
    const project = await world.newProject();
    const { uid: first } = await make(project, 'Ada Lovelace', { email: 'ada@example.com' });
    await world.drainStream();
    const user = await world.table.get(keys.user(first));
    const uids = Array.from({ length: 450 }, (_, i) => `${first.slice(0, -4)}${1_000 + i}`);
    const termOf = (text: string, uid: string, shared?: number) => ({
      ...keys.directoryTerm('USERS', project.project_id, text, uid),
      ...(shared && { shared }),
    });
    await world.table.putAll(
      uids.flatMap((uid, i) => [
        { ...user, ...keys.user(uid), uid, display_name: 'Ada Lovelace' },
        termOf('ada', uid, 3),
        termOf('ada lovelace', uid),
        termOf(`ada${i}@example.com`, uid, 3),
      ]),
    );
    const pages = await pagesFrom(world, '/users?query=ada&limit=100', project.basic);
    const found = pages.flatMap(({ body }) => body.result.map((each: User) => each.uid));
    expect(found).toHaveLength(uids.length + 1);
    expect(new Set(found)).toEqual(new Set([first, ...uids]));
    expect(pages.length).toBeGreaterThan(4);
  });
});

describe('400', () => {
  test.each<[string, string[]]>([
    ['order=up&created_after=yesterday&limit=0', ['created_after', 'limit', 'order']],
    // In UTC these are the years 10000 and -1.
    ['created_before=9999-12-31T23:59:59-01:00', ['created_before']],
    ['created_after=0000-01-01T00:00:00%2B01:00', ['created_after']],
    [
      'email=a@example.com&query=a&order=asc&created_after=2020-01-01T00:00:00Z',
      ['created_after', 'order', 'query'],
    ],
    ['query=a&created_before=2020-01-01T00:00:00Z', ['created_before']],
    ['query=%20&email=nobody', ['email', 'query']],
    ['offset=3', ['offset']],
  ])('for %s names every invalid parameter', async (query, names) => {
    const { status, body } = await world.call('GET', `/users?${query}`, world.project.basic);
    const pointers = body.errors?.map(({ pointer }: { pointer: string }) => pointer);
    expect([status, pointers?.sort()]).toEqual([400, names.map((name) => `/query/${name}`)]);
  });
});

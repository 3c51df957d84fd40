import { expect, test } from 'vitest';
import type { Workspace } from '#shared/model/workspace-resources.ts';
import { expectCursorBound, nextOf, pagesFrom } from '../../support/paging.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const list = (query: Record<string, string | number>, auth = project.basic) =>
  as(auth).workspaces.list(query);
const read = async ({ workspace_id }: Workspace): Promise<Workspace> =>
  (await as(project).workspaces.get({ workspace_id })).body;

/** Makes workspaces one after another, so that their order is known. */
async function workspacesOf(owner: Person, ...names: string[]): Promise<Workspace[]> {
  const made: Workspace[] = [];
  for (const name of names) {
    const { owner: _, ...workspace } = await world.workspace({ owner, name });
    made.push(workspace);
  }
  return made;
}

const ada = await world.user();
const owned = await workspacesOf(ada, 'Alpha', 'Beta', 'Gamma alpha', 'Delta', 'Epsilon');
const bob = await world.user();
const [bobs] = await workspacesOf(bob, 'ALPHABET');
await world.member({ ...(bobs as Workspace), owner: bob }, 'member', ada);
const all = [...owned, await read(bobs as Workspace)];

test('200 the workspaces of the caller, oldest first, and the same for the back end by user_id', async () => {
  const { status, headers, body } = await list({}, ada.bearer);
  expect(status).toBe(200);
  expect(body).toEqual({ total: 6, count: 6, result: all });
  expect(headers.has('link')).toBe(false);
  expect((await list({ user_id: ada.uid })).body).toEqual(body);
  expect((await list({ user_id: ada.uid }, ada.bearer)).body).toEqual(body);
});

test('200 of a role, by a part of the name in any case, and both', async () => {
  const names = async (query: Record<string, string>) => {
    const { body } = await list(query, ada.bearer);
    const result = body.result.map(({ name }: Workspace) => name);
    expect(body).toMatchObject({ total: result.length, count: result.length });
    return result;
  };
  expect(await names({ role: 'member' })).toEqual(['ALPHABET']);
  expect(await names({ role: 'admin' })).toEqual(owned.map(({ name }) => name));
  expect(await names({ query: 'aLPHa' })).toEqual(['Alpha', 'Gamma alpha', 'ALPHABET']);
  expect(await names({ query: 'alpha', role: 'admin' })).toEqual(['Alpha', 'Gamma alpha']);
  expect(await names({ query: '.' })).toEqual([]);
});

test('200 nothing for whoever is in no workspace, an invitation being none', async () => {
  const { uid } = await world.invited(await world.workspace());
  expect((await list({ user_id: uid })).body).toEqual({ total: 0, count: 0, result: [] });
});

test('200 by offset', async () => {
  const page = async (query: Record<string, number>) => (await list(query, ada.bearer)).body;
  expect(await page({ limit: 2 })).toEqual({ total: 6, count: 2, result: all.slice(0, 2) });
  expect(await page({ offset: 4, limit: 4 })).toEqual({ total: 6, count: 2, result: all.slice(4) });
  expect(await page({ offset: 6 })).toEqual({ total: 6, count: 0, result: [] });
});

test.each([
  ['', all],
  ['&query=alpha', all.filter(({ name }) => /alpha/i.test(name))],
  ['&role=admin', owned],
])('200 by cursor, each once and in order%s', async (filter, expected) => {
  const pages = await pagesFrom(world, `/workspaces?limit=2${filter}`, ada.bearer);
  expect(pages.map(({ body }) => [body.total, body.count])).toEqual(
    Array.from({ length: Math.ceil(expected.length / 2) }, (_, i) => [
      expected.length,
      Math.min(2, expected.length - 2 * i),
    ]),
  );
  expect(pages.flatMap(({ body }) => body.result)).toEqual(expected);
});

test('200 a cursor goes on after an offset, with another limit, and past what went meanwhile', async () => {
  const owner = await world.user();
  const made = await workspacesOf(owner, 'One', 'Two', 'Three', 'Four');
  const first = await list({ offset: 1, limit: 1 }, owner.bearer);
  const next = nextOf(first) ?? '';
  expect(first.body.result).toEqual([made[1]]);
  await as(project).workspaces.delete({ workspace_id: made[1]?.workspace_id });
  await world.drainStream();
  const { body } = await world.call('GET', next.replace('limit=1', 'limit=9'), owner.bearer);
  expect(body).toEqual({ total: 3, count: 2, result: made.slice(2) });
});

test('400 a cursor is good for its own caller and query alone', async () => {
  await expectCursorBound(world, '/workspaces?limit=2', ada.bearer, {
    elsewhere: [
      '/workspaces?role=admin',
      `/workspaces?user_id=${ada.uid}`,
      '/workspaces/joined/search',
    ],
    others: [bob.bearer],
  });
  await expectCursorBound(world, `/workspaces?limit=2&user_id=${ada.uid}`, project.basic, {
    elsewhere: [`/workspaces?user_id=${bob.uid}`],
    others: [ada.bearer, (await world.newProject()).basic],
  });
});

import { describe, expect, test } from 'vitest';
import { byMember } from '#shared/db/index-attributes.ts';
import type { Workspace } from '#shared/model/workspace-resources.ts';
import { nextOf, pagesFrom } from '../../support/paging.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project, as } = world;
const list = (query: Record<string, string | number>, auth = project.basic) =>
  as(auth).workspaces.list(query);
const read = async ({ workspace_id }: Workspace): Promise<Workspace> =>
  (await as(project).workspaces.get({ workspace_id })).body;

/** Creates workspaces one after another, so that their order is known. */
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

test('200 lists the workspaces of the caller, oldest first, and for the backend those of user_id', async () => {
  const { status, headers, body } = await list({}, ada.bearer);
  expect(status).toBe(200);
  expect(body).toEqual({ total: 6, count: 6, result: all });
  expect(headers.has('link')).toBe(false);
  expect((await list({ user_id: ada.uid })).body).toEqual(body);
  expect((await list({ user_id: ada.uid }, ada.bearer)).body).toEqual(body);
});

test('200 filters by role, by a part of the name in any capitals, and by both', async () => {
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

test('200 by a part of the name in any Unicode form, width of letters and number of blanks', async () => {
  const owner = await world.user();
  const composed = await world.workspace({ owner, name: 'Caf\u00e9 \uff21cme' });
  const decomposed = await world.workspace({ owner, name: 'Cafe\u0301  Acme' });
  for (const query of ['f\u00e9 a', 'fe\u0301 \uff21', 'F\u00c9  acme']) {
    const { body } = await list({ query }, owner.bearer);
    const ids = body.result.map(({ workspace_id }: Workspace) => workspace_id);
    expect(ids).toEqual([composed.workspace_id, decomposed.workspace_id]);
  }
});

test('200 with an empty list for a user who is only invited', async () => {
  const { uid } = await world.invited(await world.workspace());
  expect((await list({ user_id: uid })).body).toEqual({ total: 0, count: 0, result: [] });
});

test('200 omits what only an outdated index has: a deleted workspace, and a membership that ended or has another role', async () => {
  const ends = { deleted: 'admin', left: 'admin', changed: 'member' } as const;
  const eve = await world.user();
  for (const [end, role] of Object.entries(ends)) {
    const workspace = await world.workspace();
    const { workspace_id } = workspace;
    if (end !== 'left') await world.member(workspace, role, eve);
    if (end === 'deleted') await as(project).workspaces.delete({ workspace_id });
    const index = byMember('accepted', eve.uid, workspace_id);
    await world.table.put({ pk: `OUTDATED#${eve.uid}`, sk: workspace_id, ...index, role: 'admin' });
  }
  await world.drainStream();
  const { body } = await list({ role: 'admin' }, eve.bearer);
  for (const { pk, sk } of await world.table.query(`OUTDATED#${eve.uid}`))
    await world.table.delete({ pk: String(pk), sk: String(sk) });
  expect(body).toEqual({ total: 0, count: 0, result: [] });
});

test('200 pages by offset', async () => {
  const page = async (query: Record<string, number>) => (await list(query, ada.bearer)).body;
  expect(await page({ limit: 2 })).toEqual({ total: 6, count: 2, result: all.slice(0, 2) });
  expect(await page({ offset: 4, limit: 4 })).toEqual({ total: 6, count: 2, result: all.slice(4) });
  expect(await page({ offset: 6 })).toEqual({ total: 6, count: 0, result: [] });
});

test.each([
  ['', all],
  ['&query=alpha', all.filter(({ name }) => /alpha/i.test(name))],
  ['&role=admin', owned],
])('200 pages by cursor list each once and in order%s', async (filter, expected) => {
  const pages = await pagesFrom(world, `/workspaces?limit=2${filter}`, ada.bearer);
  expect(pages.map(({ body }) => [body.total, body.count])).toEqual(
    Array.from({ length: Math.ceil(expected.length / 2) }, (_, i) => [
      expected.length,
      Math.min(2, expected.length - 2 * i),
    ]),
  );
  expect(pages.flatMap(({ body }) => body.result)).toEqual(expected);
});

test('200 a cursor continues after an offset, with another limit and after a deletion', async () => {
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

const ours = await world.newProject();
const owner = await world.user({ project: ours });
const made = await workspacesOf(owner, 'Alpha', 'Beta alpha', 'Gamma');
await workspacesOf(await world.user({ project: await world.newProject() }), 'Alpha');

await world.drainStream();

describe('all of the project', () => {
  const ofProject = async (query: Record<string, string | number> = {}) =>
    (await as(ours.basic).workspaces.list(query)).body;
  const namesOf = async (query: Record<string, string | number> = {}) =>
    (await ofProject(query)).result.map(({ name }: Workspace) => name);

  test('200 newest first or oldest first, and none of another project', async () => {
    expect(await ofProject()).toEqual({ total: 3, count: 3, result: made.toReversed() });
    expect(await namesOf({ order: 'asc' })).toEqual(['Alpha', 'Beta alpha', 'Gamma']);
    expect(await namesOf({ created_after: String(made[1]?.created_at) })).toEqual(['Gamma']);
  });

  test('200 pages by offset and by cursor', async () => {
    expect(await namesOf({ offset: 1, limit: 1 })).toEqual(['Beta alpha']);
    expect(await ofProject({ offset: 9 })).toEqual({ total: 3, count: 0, result: [] });
    const pages = await pagesFrom(world, '/workspaces?limit=2', ours.basic);
    expect(pages.map(({ body }) => [body.total, body.total_is_at_least])).toEqual([
      [3, true],
      [3, undefined],
    ]);
    expect(pages.flatMap(({ body }) => body.result)).toEqual(made.toReversed());
  });

  test('200 by the beginning of a word of the name', async () => {
    await world.drainStream();
    expect((await namesOf({ query: 'ALPH' })).sort()).toEqual(['Alpha', 'Beta alpha']);
    expect(await namesOf({ query: 'lpha' })).toEqual([]);
  });

  test('200 omits a deleted workspace, and lists a restored one again', async () => {
    const [gone] = await workspacesOf(owner, 'Delta');
    const of = { workspace_id: gone?.workspace_id ?? '' };
    await world.drainStream();
    await as(ours.basic).workspaces.delete(of);
    const listed = async () => [
      (await namesOf()).includes('Delta'),
      (await namesOf({ query: 'delta' })).includes('Delta'),
    ];
    expect(await listed()).toEqual([false, false]);
    await world.drainStream();
    expect(await listed()).toEqual([false, false]);
    await as(ours.basic).workspaces.restore(of);
    await world.drainStream();
    expect(await listed()).toEqual([true, true]);
    await as(ours.basic).workspaces.delete(of);
  });

  test('400 with every parameter that does not apply', async () => {
    const pointers = async (query: string, auth = ours.basic) => {
      const { status, body } = await world.call('GET', `/workspaces?${query}`, auth);
      return [status, body.errors?.map(({ pointer }: { pointer: string }) => pointer).sort()];
    };
    const times = 'order=asc&created_after=2020-01-01T00:00:00Z';
    const both = ['/query/created_after', '/query/order'];
    for (const auth of [owner.bearer, ours.basic])
      expect(await pointers('query=%20', auth)).toEqual([400, ['/query/query']]);
    expect(await pointers('role=admin')).toEqual([400, ['/query/role']]);
    expect(await pointers(times, owner.bearer)).toEqual([400, both]);
    expect(await pointers(`${times}&user_id=${owner.uid}`)).toEqual([400, both]);
    expect(await pointers(`${times}&query=a`)).toEqual([400, both]);
  });
});

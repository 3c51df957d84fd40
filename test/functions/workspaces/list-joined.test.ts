import { expect, test } from 'vitest';
import type { Workspace } from '#shared/model/workspace-resources.ts';
import { pagesFrom } from '../../support/paging.ts';
import { startWorld } from '../../support/world.ts';

const path = '/workspaces/joined/search';

const world = await startWorld();
const { as } = world;
const read = async ({ workspace_id }: { workspace_id: string }): Promise<Workspace> =>
  (await as(world.project).workspaces.get({ workspace_id })).body;

test('200 returns an array of the workspaces that the caller owns or joined, oldest first', async () => {
  const ada = await world.user();
  const own = await world.workspace({ owner: ada, name: 'Own', description: 'Mine' });
  const joined = await world.workspace({ name: 'Joined', logo: 'https://example.com/l.png' });
  await world.member(joined, 'member', ada);
  await world.invited(await world.workspace({ name: 'Invited' }), 'member', ada);
  await world.workspace({ name: 'Somebody else’s' });
  const { status, headers, body } = await as(ada).workspaces.listJoined();
  expect(status).toBe(200);
  expect(body).toEqual([await read(own), await read(joined)]);
  expect(headers.has('link')).toBe(false);
  expect((await as(await world.user()).workspaces.listJoined()).body).toEqual([]);
});

test('200 returns all without a limit, and pages with one', async () => {
  const owner = await world.user();
  const all: Workspace[] = [];
  for (let i = 0; i < 21; i += 1) all.push(await read(await world.workspace({ owner })));
  expect((await as(owner).workspaces.listJoined()).body).toEqual(all);
  const pages = await pagesFrom(world, `${path}?limit=8`, owner.bearer);
  expect(pages.map(({ body }) => body.length)).toEqual([8, 8, 5]);
  expect(pages.flatMap(({ body }) => body)).toEqual(all);
  const { body } = await as(owner).workspaces.listJoined({ offset: 19, limit: 8 });
  expect(body).toEqual(all.slice(19));
});

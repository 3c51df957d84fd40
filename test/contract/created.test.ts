import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import type { Route } from '#shared/contract/route.ts';
import { invitationCalls, tokenIn } from '../support/invitations.ts';
import { withJoinRequest } from '../support/join-requests.ts';
import { startWorld } from '../support/world.ts';

/** A POST that creates something with an address of its own says where it is (RFC 9110 section 9.3.3). */

const world = await startWorld();
const { project, as } = world;
const { accept } = invitationCalls(world);

const all: readonly Route[] = routes;
const creating = all.filter(({ method, statuses }) => method === 'POST' && statuses.includes(201));

/** The route that reads what another one creates: it shows the same, or is below its path. */
const readerOf = ({ path, response }: Route) =>
  all.find(
    (route) =>
      route.method === 'GET' &&
      route.etag &&
      route.path.includes('{') &&
      (route.response === response || /^\/\{\w+\}$/.test(route.path.replace(path, ''))),
  );

test('every route that creates what another one reads names its path', () => {
  for (const route of creating)
    expect([route.name, route.created]).toEqual([route.name, readerOf(route)?.path]);
  expect(creating.filter(({ created }) => created)).toHaveLength(7);
});

/** Each route that names a path, called so that it creates something. */
const creations: Record<string, () => Promise<{ status: number; headers: Headers }>> = {
  'users.create': () => as(project).users.create({ email: 'created@example.com' }),
  'workspaces.create': async () =>
    as(project).workspaces.create({ name: 'Acme', owner_id: (await world.user()).uid }),
  'webhooks.create': () => as(project).webhooks.create({ url: 'https://example.com' }),
  'members.add': async () => {
    const { workspace_id } = await world.workspace();
    const { uid: user_id } = await world.user();
    return as(project).members.add({ workspace_id, user_id, role: 'member' });
  },
  'members.join': async () => {
    const { workspace_id } = await world.workspace();
    const { uid: user_id, bearer } = await world.user();
    const link = await as(project).joinLinks.create({ workspace_id, role: 'member' });
    const join_token = String(link.body.url).split('join=')[1];
    return as(bearer).members.join({ workspace_id, user_id, join_token });
  },
  'invitations.accept': async () => {
    const { link, bearer } = await world.invited(await world.workspace(), 'member');
    return accept(tokenIn(link), bearer);
  },
  'joinRequests.approve': async () => {
    const { workspace_id, asker } = await withJoinRequest(world);
    return as(project).joinRequests.approve({ workspace_id, user_id: asker.uid });
  },
};

test.each(creating.filter(({ created }) => created))('$name', async ({ name }) => {
  const { status, headers } = (await creations[name]?.()) ?? {};
  expect(status).toBe(201);
  const location = headers?.get('location') ?? '';
  expect(location).toMatch(`${world.url}/`);
  const read = await world.call('GET', location.slice(world.url.length), project.basic);
  expect(read.status).toBe(200);
});

test('what existed has no Location', async () => {
  const create = () => as(project).users.create({ email: 'again@example.com' });
  const [made, again] = [await create(), await create()];
  expect([made.status, made.headers.has('location')]).toEqual([201, true]);
  expect([again.status, again.headers.has('location')]).toEqual([200, false]);
});

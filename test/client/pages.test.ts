import { expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { pages } from '../../client/pages.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();

test('iterates every result of a list once, page by page', async () => {
  const { workspace_id, owner } = await world.workspace();
  for (let i = 0; i < 4; i += 1) await world.member({ workspace_id, owner });
  const read: string[] = [];
  const client = createClient(world.url, {
    authorization: world.project.basic,
    fetch: async (to, init) => {
      read.push(String(to));
      return fetch(to, init);
    },
  });
  const uids: string[] = [];
  for await (const { uid } of pages(client.members.list, {
    workspace_id,
    status: 'accepted',
    limit: 2,
  }))
    uids.push(uid);
  expect([new Set(uids).size, uids.length, read.length]).toEqual([5, 5, 3]);
  // Leaving the loop stops further requests.
  for await (const _ of pages(client.members.list, { workspace_id, status: 'accepted', limit: 2 }))
    break;
  expect(read).toHaveLength(4);
});

test('can start at an offset', async () => {
  const { workspace_id, owner } = await world.workspace();
  for (let i = 0; i < 3; i += 1) await world.member({ workspace_id, owner });
  const client = createClient(world.url, world.project.basic);
  const list = pages(client.members.list, {
    ...{ workspace_id, status: 'accepted' as const },
    ...{ offset: 1, limit: 1 },
  });
  let count = 0;
  for await (const _ of list) count += 1;
  expect(count).toBe(3);
});

import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { as } = world;

test('200 lists the valid links, oldest first, with their uses and without a token', async () => {
  const { workspace_id, owner } = await world.workspace();
  const links = [];
  for (const max_uses of [1, 2, 3])
    links.push((await as(owner).joinLinks.create({ workspace_id, max_uses })).body);
  const [one, two, three] = links;
  const { uid, bearer } = await world.user();
  const join = { workspace_id, user_id: uid, join_token: two.token };
  expect((await as(bearer).members.join(join)).status).toBe(201);
  const key = { pk: `WS#${workspace_id}`, sk: `LINK#${three.link_id}` };
  await world.table.update(key, { expires_at: Math.floor(Date.now() / 1_000) });
  const shown = (link: object) => ({ ...link, token: undefined, url: undefined });
  const { status, body } = await as(owner).joinLinks.list({ workspace_id });
  expect(status).toBe(200);
  expect(body).toEqual({
    total: 2,
    count: 2,
    result: [shown(one), { ...shown(two), use_count: 1 }],
  });
});

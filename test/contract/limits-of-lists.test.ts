import { expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { newUid } from '#shared/model/ids.ts';
import { limits } from '#shared/model/limits.ts';
import { expectInvalid } from '../support/expectations.ts';
import { startWorld } from '../support/world.ts';
import { schemaOf } from './samples.ts';

const limited = routes.flatMap((route) =>
  (['query', 'body'] as const)
    .filter((part) => route[part] && 'limit' in (schemaOf(route[part]).properties ?? {}))
    .map((part) => ({ name: route.name, limit: route[part]?.shape['limit'] })),
);

test('the test finds the lists with a limit', () => {
  expect(limited.length).toBeGreaterThan(7);
});

test.each(limited)(
  '$name: a limit above 100 counts as 100, and an invalid limit is refused',
  ({ limit }) => {
    const { max } = limits.page;
    expect(limit?.parse(max)).toBe(max);
    for (const more of [max + 1, 1_000_000, Number.MAX_SAFE_INTEGER])
      expect(limit?.parse(more)).toBe(max);
    for (const wrong of [0, -1, 1.5, '20', null])
      expect(limit?.safeParse(wrong).success).toBe(false);
  },
);

test('over HTTP a page has at most 100 elements, and its Link has limit=100', async () => {
  const world = await startWorld();
  const workspace = await world.workspace();
  const { basic } = world.project;
  const path = `/workspaces/${workspace.workspace_id}/users?status=accepted`;
  const [owner = {}] = await world.table.query(`WS#${workspace.workspace_id}`, 'MEMBER#');
  for (let made = 0; made < 100; made += 1) {
    const user_id = newUid(new Date());
    await world.table.put({ ...owner, sk: `MEMBER#${user_id}`, user_id });
  }
  for (const more of ['5000', String(Number.MAX_SAFE_INTEGER)]) {
    const { status, body, headers } = await world.call('GET', `${path}&limit=${more}`, basic);
    expect([status, body.count], more).toEqual([200, 100]);
    expect(headers.get('link')).toContain('limit=100');
  }
  for (const wrong of ['0', '-1', '1.5', '1e3', 'all'])
    expectInvalid(await world.call('GET', `${path}&limit=${wrong}`, basic), '/query/limit');
});

/**
 * @module-tag source
 * @module-tag proof
 * @module-tag alone
 */
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { seedMembers } from './support/budgets/case.ts';
import { meter } from './support/meter.ts';
import { startWorld } from './support/world.ts';

const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const measure = meter(dynamodb, world.table.client);

// Disables the stream, which nothing here reads: the local engine gets slower with each record.
await world.table.client.send(
  new UpdateTableCommand({
    TableName: world.table.name,
    StreamSpecification: { StreamEnabled: false },
  }),
);

type Place = Pick<Awaited<ReturnType<typeof world.workspace>>, 'workspace_id' | 'owner'>;
const readerOf =
  ({ workspace_id, owner }: Place) =>
  (more: object) =>
    measure(() =>
      world.call({
        method: 'GET',
        path: `/workspaces/${workspace_id}/users`,
        auth: owner.bearer,
        query: { status: 'accepted', limit: 4, ...more },
      }),
    );
const cursorIn = (headers: Headers) => /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];

test.each([10, 1_000, 20_000])(
  'a page costs the same among %i members, at the beginning and later',
  async (size) => {
    const place = await world.workspace();
    await seedMembers(world, place, size);
    const read = readerOf(place);
    await read({});
    const first = await read({});
    const second = await read({ cursor: cursorIn(first.result.headers) });
    for (const { result, cost } of [first, second]) {
      expect(result.body).toMatchObject({ total: size, count: 4 });
      expect(cost).toEqual({
        rounds: [['BatchGetItem member, session, workspace', 'Query member']],
        read: 4,
        write: 0,
      });
    }
  },
  120_000,
);

test('an offset gives the same page as a cursor, and counts earlier elements without reading them', async () => {
  const place = await world.workspace();
  await seedMembers(world, place, 1_000);
  const read = readerOf(place);
  const near = await read({ offset: 500, limit: 100 });
  const after = await read({ cursor: cursorIn(near.result.headers) });
  const far = await read({ offset: 600 });
  expect(far.result.body).toEqual(after.result.body);
  expect(near.cost.rounds.flat()).not.toContain('Query count member');
  expect(far.cost.rounds.slice(-2)).toEqual([['Query count member'], ['Query member']]);
});

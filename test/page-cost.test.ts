import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { seedMembers } from './support/budget-case.ts';
import { meter } from './support/meter.ts';
import { startWorld } from './support/world.ts';

const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const measure = meter(dynamodb, world.table.client);

// Each record of a stream costs the local engine more than the one before; nothing here reads them.
await world.table.client.send(
  new UpdateTableCommand({
    TableName: world.table.name,
    StreamSpecification: { StreamEnabled: false },
  }),
);

test.each([10, 1_000, 20_000])(
  'a page costs the same among %i members, at the beginning and further on',
  async (size) => {
    const { workspace_id, owner } = await world.workspace();
    await seedMembers(world, { workspace_id, owner }, size);
    const read = (more: object) =>
      measure(() =>
        world.call({
          method: 'GET',
          path: `/workspaces/${workspace_id}/users`,
          auth: owner.bearer,
          query: { status: 'accepted', limit: 4, ...more },
        }),
      );
    await read({});
    const first = await read({});
    const cursor = /cursor=([^&>]+)/.exec(first.result.headers.get('link') ?? '')?.[1];
    const second = await read({ cursor });
    for (const { result, cost } of [first, second]) {
      expect(result.body).toMatchObject({ total: size, count: 4 });
      expect(cost).toEqual({
        rounds: [['BatchGetItem member, session, workspace', 'Query member']],
        read: 4,
        write: 0,
      });
    }
  },
  60_000,
);

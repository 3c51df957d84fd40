import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '#shared/contract/api.ts';
import { errorCodes } from '#shared/model/error-codes.ts';
import { routeCaller } from '../contract/calls.ts';
import type { Answer } from '../support/call.ts';
import { expectSame } from '../support/expectations.ts';
import type { World } from '../support/world.ts';
import { type Case, type Cell, cellsOf, type Reach, requestOf } from './authorization.ts';
import { makeScene } from './authorization-scene.ts';

/** The same request for something that does not exist. */
const nothingAt: Partial<Record<Reach, Reach>> = {
  ...{ own: 'missing', foreign: 'missing', deleted: 'missing' },
  ...{ stray: 'lost', crossed: 'lost' },
};

/** Sends the request of every cell of these cases in one scene, which is restored after each change. */
export function askEveryCell(world: World, cases: Partial<Record<Operation, readonly Case[]>>) {
  const call = routeCaller(world);
  let scene: Awaited<ReturnType<typeof makeScene>>;
  beforeAll(async () => {
    scene = await makeScene(world);
  });

  const ask = ({ route, case: each, caller, reach, headers }: Cell) => {
    const { auth, self } = scene.credentials[caller];
    return call(route, { ...requestOf(route, each, scene.reached[reach], self), auth, headers });
  };
  const cells = cellsOf(cases);
  const groups = Map.groupBy(cells, ({ name }) => name);
  /** The responses for missing resources, which those for hidden ones must equal. */
  const ofMissing = new Map<Cell, Answer>();

  describe.each([...groups])('%s', (_, group) => {
    beforeAll(async () => {
      for (const { self } of Object.values(scene.credentials))
        await world.table.forgetChanges(self);
    });

    test.each(group)('by $caller, $reach: $expected', async (cell) => {
      const { expected, route, caller, reach } = cell;
      const answer = ofMissing.get(cell) ?? (await ask(cell));
      const isDone = answer.status < 300;
      if (isDone && route.method !== 'GET') await scene.restore();
      if (expected === 'allow') {
        expect(isDone, JSON.stringify(answer.body)).toBe(true);
        return;
      }
      expect([answer.status, answer.body.code]).toEqual([errorCodes[expected].status, expected]);
      if (expected === 'unauthenticated') return;
      const same = group.find(
        (other) => other.caller === caller && other.reach === nothingAt[reach],
      );
      if (same?.expected !== expected) return;
      const missing = ofMissing.get(same) ?? (await ask(same));
      ofMissing.set(same, missing);
      expectSame(answer, missing);
    });

    test('refused requests and reads have changed nothing', async () => {
      expect(await scene.changed()).toEqual([]);
    });
  });
}

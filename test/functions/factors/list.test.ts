import { expect, test } from 'vitest';
import { factorProject } from '../../support/factors.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world);

test('200 lists only the factor of the caller, without its recovery codes', async () => {
  const ada = await world.user({ project: ours.project });
  expect((await ours.factorsOf(ada).list()).body).toEqual({ total: 0, count: 0, result: [] });
  const { factor } = await ours.enrol(ada);
  const { body } = await ours.factorsOf(ada).list();
  const { recovery_codes: _, ...shown } = factor;
  expect(body).toEqual({ total: 1, count: 1, result: [shown] });
  const bob = await world.user({ project: ours.project });
  expect((await ours.factorsOf(bob).list()).body.total).toBe(0);
});

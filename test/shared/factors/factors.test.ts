import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { factorProject } from '../../support/factors.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { enrol, project } = await factorProject(world);

test('the export of a user has the factor, without a recovery code', async () => {
  const ada = await world.user({ project });
  expect((await world.as(ada).users.export({ uid: ada.uid })).body).not.toHaveProperty('factors');
  const { factor } = await enrol(ada);
  const { recovery_codes, ...shown } = factor;
  const { body } = await world.as(ada).users.export({ uid: ada.uid });
  expect(body.factors).toEqual([shown]);
  expect(JSON.stringify(body)).not.toContain(recovery_codes[0]);
});

test('the factor is deleted with its user', async () => {
  const ada = await world.user({ project });
  await enrol(ada);
  await world.call('DELETE', `/users/${ada.uid}`, project.basic);
  expect(await world.table.get(keys.factor(ada.uid))).toBeUndefined();
});

import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { passkeyProject } from '../../support/passkeys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);
const { add } = ours;
const someone = (given = {}) => world.user({ project: ours.project, verified: true, ...given });

test('200 for its user alone, and 404 for any other', async () => {
  const ada = await someone();
  const { passkey } = await add(ada);
  const { passkey_id } = passkey;
  const renamed = await world.as(ada).passkeys.rename({ passkey_id, name: 'Laptop' });
  expect(renamed.body).toEqual({ ...passkey, name: 'Laptop' });
  const eve = await someone();
  expectProblem(await world.as(eve).passkeys.rename({ passkey_id, name: 'Mine' }), 'not_found');
  expect((await world.as(ada).passkeys.list()).body.result).toEqual([renamed.body]);
});

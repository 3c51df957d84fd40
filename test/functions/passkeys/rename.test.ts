import { expect, test } from 'vitest';
import { passkeyProject } from '../../support/passkeys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);
const { add, newUser } = ours;

test('200 renames the passkey', async () => {
  const ada = await newUser();
  const { passkey } = await add(ada);
  const { passkey_id } = passkey;
  const renamed = await world.as(ada).passkeys.rename({ passkey_id, name: 'Laptop' });
  expect(renamed.body).toEqual({ ...passkey, name: 'Laptop' });
  expect((await world.as(ada).passkeys.list()).body.result).toEqual([renamed.body]);
});

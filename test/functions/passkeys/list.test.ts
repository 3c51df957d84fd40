import { expect, test } from 'vitest';
import { aTime } from '../../support/expectations.ts';
import { passkeyProject } from '../../support/passkeys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);
const { add, newUser } = ours;

test("200 lists only the caller's passkeys, oldest first, without their public keys", async () => {
  const ada = await newUser();
  expect((await world.as(ada).passkeys.list()).body).toEqual({ total: 0, count: 0, result: [] });
  const added = [(await add(ada)).passkey, (await add(ada)).passkey, (await add(ada)).passkey];
  await add(await newUser());
  const { body } = await world.as(ada).passkeys.list();
  expect(body).toEqual({ total: 3, count: 3, result: added });
  for (const each of body.result)
    expect(each).toEqual({
      ...{ passkey_id: expect.any(String), name: 'Phone', created_at: aTime() },
      ...{ backed_up: false, transports: ['internal'] },
    });
});

import { expect, test } from 'vitest';
import { passkeyProject } from '../../support/passkeys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);

test('201 for any caller with a new challenge each time, and naming no user', async () => {
  const [one, two] = [await ours.request(), await ours.request()];
  expect(one).toEqual({
    rpId: 'passkeys.example.com',
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    userVerification: 'required',
  });
  expect(one.challenge).not.toBe(two.challenge);
});

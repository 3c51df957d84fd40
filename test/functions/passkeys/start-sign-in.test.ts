import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
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

test('403 where the project has no passkeys, 404 for an unknown project', async () => {
  const without = await passkeyProject(world, { passkeys: false });
  expectProblem(await without.post('/sessions/passkey/options', {}), 'sign_in_method_disabled');
  const path = '/sessions/passkey/options';
  const nobodys = { method: 'POST', path, body: { project_id: 'nobodys' } };
  expectProblem(await world.call(nobodys), 'not_found');
});

import { expect, test } from 'vitest';
import { lifetimes } from '#shared/model/limits.ts';
import { expectProblem } from '../../support/expectations.ts';
import { age, factorProject } from '../../support/factors.ts';
import { passkeyProject } from '../../support/passkeys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);
const { creation, newUser } = ours;

test('201 with a user handle of 16 bytes and a new challenge each time', async () => {
  const ada = await newUser();
  const answers = await Promise.all([creation(ada), creation(ada)]);
  const [one, two] = answers.map(
    ({ body }) => body.publicKey as { challenge: string; user: { id: string } },
  );
  expect(one?.challenge).not.toBe(two?.challenge);
  expect(one?.user.id).toBe(two?.user.id);
  expect(Buffer.from(one?.user.id ?? '', 'base64url')).toHaveLength(16);
});

test('401 for a user with a second factor whose sign-in is not recent', async () => {
  const both = await factorProject(world, { passkeys: true });
  const ada = await world.user({ project: both.project, verified: true });
  const old = await world.session(ada.uid, both.project);
  await age(world, old, lifetimes.recentSignIn);
  await both.enrol(ada);
  expectProblem(await ours.creation(old), 'reauthentication_required');
  expect((await ours.creation(ada)).status).toBe(201);
});

test('401 for a user without a password whose sign-in is not recent', async () => {
  const ada = await ours.newUser();
  expect((await creation(ada)).status).toBe(201);
  await age(world, ada, lifetimes.recentSignIn);
  expectProblem(await creation(ada), 'reauthentication_required');
});

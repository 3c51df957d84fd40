import { expect, test } from 'vitest';
import { userKey } from '../support/api-keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

/** Keys that end while they are used, or with the account of whoever made them. */

const world = await startWorld();

test('revoked in the middle of its use: each request is answered or refused, none after the revocation is answered', async () => {
  const ada = await world.user();
  const { key_id, bearer } = await userKey(world, ada);
  let revoked = false;
  const use = async () => {
    const late = revoked;
    const { status } = await world.as(bearer).users.getMe();
    return { late, status };
  };
  const uses = Array.from({ length: 10 }, use);
  const revoking = world
    .as(ada)
    .apiKeys.revoke({ key_id })
    .then(({ status }) => {
      revoked = true;
      return status;
    });
  expect(await revoking).toBe(200);
  uses.push(...Array.from({ length: 10 }, use));
  for (const { late, status } of await Promise.all(uses)) {
    expect([200, 401]).toContain(status);
    if (late) expect(status).toBe(401);
  }
});

test('the keys of whoever had set up the account end when the mailbox is proven first, and with a mailed password', async () => {
  const home = await signInProject(world);
  const email = 'victim@example.com';
  // Somebody else has made the account for an e-mail that is not theirs, and a key for themself.
  const thief = await world.user({ email, project: home.project });
  const prepared = await userKey(world, thief);
  expect((await world.as(prepared.bearer).users.getMe()).status).toBe(200);
  const ada = await home.signUp(email, goodPassword);
  expect(ada.uid).toBe(thief.uid);
  expectProblem(await world.as(prepared.bearer).users.getMe(), 'unauthenticated');
  const own = await userKey(world, ada);
  expect((await world.as(own.bearer).users.getMe()).status).toBe(200);
  await home.post('/passwords/forgotten', { email });
  await home.post('/passwords', { token: await home.mailed(email), password: `${goodPassword}!` });
  expectProblem(await world.as(own.bearer).users.getMe(), 'unauthenticated');
});

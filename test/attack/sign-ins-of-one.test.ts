/**
 * @module-tag source
 * @module-tag alone
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { rates } from '#shared/model/rates.ts';
import { expectProblem } from '../support/expectations.ts';
import { newPerson, settingsOf, signInByIdentity } from '../support/identities.ts';
import { oauthScene } from '../support/oauth.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { passkeyProject } from '../support/passkeys.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

/**
 * A user who signs in again and again, by what they can show any number of times, makes two events with each session.
 * They must not hold up the events of others, nor may who does it with a stolen password keep the user out.
 */

// The clock stands still: no minute ends.
vi.useFakeTimers({ toFake: ['Date'] });
const world = await startWorld();
const google = await startOpenidProvider();
const ours = await passkeyProject(world, { identity_providers: { google: settingsOf(google) } });
const { max, seconds, detail } = rates.signInsOfOne;
const window = () => Math.floor(Date.now() / 1_000 / seconds);
beforeEach(() => vi.setSystemTime((window() + 1) * seconds * 1_000));

/** Uses up the sign-ins of a user in this minute, as if by other instances. */
const useUp = (uid: string, by: string) =>
  world.table.put({ ...keys.rate('signInsOfOne', `${uid} ${by}`, window()), count: max });
/** The first sign-ins that an instance lets in before it reads the shared count. */
const free = 5;

let people = 0;
const newEmail = () => `somebody${(people += 1)}@example.com`;
const byPassword = (email: string, password = goodPassword) =>
  ours.post('/sessions/password', { email, password });

test('one account starts at most 300 sessions a minute by one method, and again in the next minute', async () => {
  const token = await google.idToken(newPerson());
  const signIn = async () => (await signInByIdentity(ours, token)).status;
  // The first makes the user, and is not counted.
  expect(await signIn()).toBe(201);
  for (let i = 0; i < max; i += 1) {
    // A network has its own limit, of ten seconds.
    if (i === 200) vi.setSystemTime(Date.now() + 20_000);
    expect([i, await signIn()]).toEqual([i, 201]);
  }
  const refused = await signInByIdentity(ours, token);
  expectProblem(refused, 'too_many_requests');
  expect(refused.body.detail).toBe(detail);
  expect(refused.headers.get('retry-after')).toBe(`${seconds - 20}`);
  vi.setSystemTime(Date.now() + 40_000);
  expect(await signIn()).toBe(201);
});

describe('who has used up the sign-ins of a minute', () => {
  test('by password: 429 with the right one alone, while a code, a reset and a passkey sign in', async () => {
    const email = newEmail();
    const reset = async (password: string) => {
      await ours.post('/passwords/forgotten', { email });
      return ours.post('/passwords', { token: await ours.mailed(email), password });
    };
    const ada = await ours.signInByCode(email);
    const { authenticator } = await ours.add(ada);
    expect((await reset(goodPassword)).status).toBe(201);
    // One mailbox gets three mails in ten minutes.
    vi.setSystemTime(Date.now() + 600_000);
    await useUp(ada.uid, 'idpw');
    for (let i = 0; i < free; i += 1) expect((await byPassword(email)).status).toBe(201);
    expectProblem(await byPassword(email), 'too_many_requests');
    expectProblem(await byPassword(email, 'a wrong password'), 'invalid_credentials');
    expect((await ours.signInBy(authenticator)).status).toBe(201);
    expect((await ours.signInByCode(email)).uid).toBe(ada.uid);
    expect((await reset('another good password')).status).toBe(201);
    const bob = await ours.signUp(newEmail());
    expect((await byPassword(bob.email)).status).toBe(201);
  });

  test('by passkey: 429', async () => {
    const ada = await ours.signInByCode(newEmail());
    const { authenticator } = await ours.add(ada);
    await useUp(ada.uid, 'passkey');
    for (let i = 0; i < free; i += 1) expect((await ours.signInBy(authenticator)).status).toBe(201);
    expectProblem(await ours.signInBy(authenticator), 'too_many_requests');
  });

  test('for clients: 429 for all of them, and the code is not used up', async () => {
    const scene = await oauthScene(world);
    const ada = await scene.visitor();
    await useUp(ada.uid, 'a client');
    for (let i = 0; i < free; i += 1)
      await scene.tokens(ada, i % 2 === 0 ? scene.web : scene.native);
    // A code is good for a minute.
    vi.setSystemTime(Date.now() + 30_000);
    const code = await scene.code(ada);
    const { status, body } = await scene.token(code);
    expect(status).toBe(429);
    expect(body).toMatchObject({ error: 'temporarily_unavailable', detail });
    vi.setSystemTime((window() + 1) * seconds * 1_000);
    expect((await scene.token(code)).status).toBe(200);
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { claimsOf } from '../../model/tokens.ts';
import { newAuthenticator } from '../../support/authenticator.ts';
import { aTime, expectProblem } from '../../support/expectations.ts';
import { page, passkeyProject } from '../../support/passkeys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await passkeyProject(world);
const { project, post, request, signInBy, newUser } = ours;
const list = async ({ bearer }: { bearer: string }) =>
  (await world.as(bearer).passkeys.list()).body.result;
test('201 signs in without an e-mail, and records the time of use', async () => {
  const ada = await newUser();
  const { authenticator, passkey } = await ours.add(ada);
  const { status, body } = await signInBy(authenticator);
  expect(status).toBe(201);
  expect(body).toMatchObject({ uid: ada.uid, user_created: false });
  expect(body.user.sign_in_methods).toEqual({ passkey: { enabled: true } });
  const { amr, acr } = claimsOf(body.access_token);
  expect([amr, acr]).toEqual([['pop', 'user', 'mfa'], 'aal2']);
  const bearer = `Bearer ${body.access_token}`;
  const { result } = (await world.as(bearer).sessions.list({})).body;
  expect(result.find((each: { current: boolean }) => each.current)?.method).toBe('passkey');
  expect(await list({ bearer })).toEqual([{ ...passkey, last_used_at: aTime() }]);
});

test('201 each time for an authenticator without a counter', async () => {
  const { authenticator } = await ours.add(await newUser());
  for (let i = 0; i < 3; i += 1) expect((await signInBy(authenticator)).status).toBe(201);
});

test('201 for a counter that decreased, which the list and an event show', async () => {
  const ada = await newUser();
  const { authenticator, passkey } = await ours.add(ada, newAuthenticator(page, { counts: true }));
  expect((await signInBy(authenticator)).status).toBe(201);
  expect((await list(ada))[0]).not.toHaveProperty('counter_decreased');
  authenticator.rewind(0);
  expect((await signInBy(authenticator)).status).toBe(201);
  expect(await list(ada)).toMatchObject([{ counter_decreased: true }]);
  await world.drainStream();
  const events = world.events().filter(({ type }) => type === 'user.passkey_counter_decreased');
  const { passkey_id } = passkey;
  expect(events.map(({ data }) => data)).toEqual([{ user_id: ada.uid, passkey_id }]);
});

describe('401 with the same detail', async () => {
  const ada = await newUser();
  const { authenticator } = await ours.add(ada);
  const other = await ours.add(await newUser());
  const elsewhere = await passkeyProject(world);
  const expectRefused = async (credential: object, at: Pick<typeof ours, 'post'> = ours) => {
    const answer = await at.post<{ detail?: string }>('/sessions/passkey', { credential });
    expectProblem(answer, 'invalid_credentials');
    expect(answer.body.detail).toBe('The credentials are not valid');
  };
  const { get } = authenticator;

  test.each([
    ['another origin', { origin: 'https://passkeys.example.org' }],
    ['an unlisted origin of the same domain', { origin: `${page}:8443` }],
    ['another relying party', { rpId: 'example.com' }],
    ['a wrong signature', { signature: randomBytes(70) }],
    ['no user verification', { flags: 1 }],
    ['no user presence', { flags: 4 }],
    ['client data of a registration', { type: 'webauthn.create' }],
    ['no user handle', { userHandle: undefined }],
    ['a malformed user handle', { userHandle: 'AAAA' }],
    ['an unknown user handle', { userHandle: randomBytes(16).toString('base64url') }],
  ])('for %s', async (_, forged) => {
    await expectRefused(get(await request(), forged));
  });
  test('for the key of another user', async () => {
    const { response } = get(await request());
    const { userHandle } = response;
    await expectRefused(other.authenticator.get(await request(), { userHandle }));
  });
  test('for a challenge that the service did not issue', async () => {
    const challenge = randomBytes(32).toString('base64url');
    await expectRefused(get({ ...(await request()), challenge }));
  });
  test('for a challenge of a registration', async () => {
    const { body } = await ours.creation(ada);
    const { challenge } = body.publicKey as { challenge: string };
    await expectRefused(get({ ...(await request()), challenge }));
  });
  test('for a challenge or a passkey of another project', async () => {
    await expectRefused(get(await elsewhere.request()));
    await expectRefused(get(await elsewhere.request()), elsewhere);
  });
  test('for malformed client data', async () => {
    const credential = get(await request());
    for (const text of ['no JSON', 'null', '{"challenge":1}', '[]']) {
      const clientDataJSON = Buffer.from(text).toString('base64url');
      await expectRefused({ ...credential, response: { ...credential.response, clientDataJSON } });
    }
  });
  test('for truncated authenticator data', async () => {
    const credential = get(await request());
    const response = { ...credential.response, authenticatorData: 'AAAA' };
    await expectRefused({ ...credential, response });
  });
  test('for a deleted passkey', async () => {
    const person = await newUser();
    const gone = await ours.add(person);
    const { passkey_id } = gone.passkey;
    await world.as(person).passkeys.delete({ passkey_id });
    await expectRefused(gone.authenticator.get(await request()));
  });
  test('for a used challenge', async () => {
    const credential = get(await request());
    expect((await post('/sessions/passkey', { credential })).status).toBe(201);
    await expectRefused(credential);
  });
  test('for an expired challenge', async () => {
    const options = await request();
    vi.setSystemTime(Date.now() + lifetimes.passkeyChallenge * 1_000);
    await expectRefused(get(options));
  });
});

test('201 for one of 20 concurrent requests with the same assertion', async () => {
  const { authenticator } = await ours.add(await newUser());
  const credential = authenticator.get(await request());
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post('/sessions/passkey', { credential })),
  );
  const started = answers.filter(({ status }) => status === 201);
  expect(started).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 401]));
});

test('201 for two passkeys of a user concurrently; one can be deleted during a sign-in', async () => {
  const ada = await newUser();
  const [one, two] = [await ours.add(ada), await ours.add(ada)];
  const both = await Promise.all([signInBy(one.authenticator), signInBy(two.authenticator)]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  const options = await request();
  const [signedIn] = await Promise.all([
    post<{ access_token: string }>('/sessions/passkey', {
      credential: one.authenticator.get(options),
    }),
    world.as(ada).passkeys.delete({ passkey_id: one.passkey.passkey_id }),
  ]);
  expect([201, 401]).toContain(signedIn.status);
  expect(await world.table.get(keys.passkey(ada.uid, one.passkey.passkey_id))).toBeUndefined();
});

test('403 for a disabled user', async () => {
  const ada = await newUser();
  const { authenticator } = await ours.add(ada);
  await world.as(project).users.update({ uid: ada.uid, disabled: true });
  expectProblem(await signInBy(authenticator), 'user_disabled');
});

test('201 without settings of the project, with the host of the service as the RP ID', async () => {
  const { hostname, origin } = new URL(world.url);
  const own = await passkeyProject(world, { rp_id: undefined, origins: undefined });
  const ada = await world.user({ project: own.project });
  const { authenticator } = await own.add(ada, newAuthenticator(origin));
  expect((await own.request()).rpId).toBe(hostname);
  expect((await own.signInBy(authenticator)).status).toBe(201);
});

import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { claimsOf } from '../../model/tokens.ts';
import { newAuthenticator } from '../../support/authenticator.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { age, factorProject } from '../../support/factors.ts';
import { page, passkeyProject } from '../../support/passkeys.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { atWindow, sessionIdOf } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await factorProject(world);
const byKey = await passkeyProject(world, { mfa: 'optional' });

type Proof = Parameters<ReturnType<typeof world.as>['sessions']['reauthenticate']>[0];
const again = (who: Pick<Person, 'bearer'>, proof: Proof) =>
  world.as(who.bearer).sessions.reauthenticate(proof);
const password = { password: goodPassword };

let count = 0;
/** A user with a password who signed in an hour ago. */
async function longAgo(of: { signUp: (email: string) => Promise<Person> } = ours) {
  count += 1;
  const ada = await of.signUp(`again${count}@factors.example.com`);
  await age(world, ada, 3_600);
  return ada;
}
/** The same with an authenticator app, with or without a password. */
async function withApp(of = ours) {
  const ada = await of.signUp(`app${(count += 1)}@factors.example.com`);
  const made = await of.enrol(ada, { current_password: goodPassword });
  await age(world, ada, 3_600);
  return { ada, ...made };
}
const signInClaims = (token: string) => {
  const { auth_time, amr, acr } = claimsOf(token);
  return { auth_time, amr, acr };
};
const sessionOf = (person: Person) =>
  world.table.get(keys.session(person.uid, sessionIdOf(person)));
const isNow = expect.toSatisfy((at: number) => Math.abs(Date.now() / 1_000 - at) < 10);
const renew = async (person: Person) => (await world.renew(person)).body;

test('200 a password renews auth_time in a new token and in those of later refreshes', async () => {
  const ada = await longAgo();
  const other = await ours.signIn(ada.email);
  await age(world, other, 3_600);
  const { workspace_id } = await world.workspace({ owner: ada });
  await world.as(ada.bearer).sessions.selectWorkspace({ workspace_id });
  const before = claimsOf(ada.access_token);
  const { status, headers, body } = await again(ada, password);
  expect([status, body]).toEqual([
    200,
    { access_token: expect.any(String), expires_in: expect.any(Number) },
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
  const claims = claimsOf(body.access_token);
  expect(claims).toMatchObject({
    ...{ sub: ada.uid, sid: before.sid, exp: before.exp, auth_time: isNow },
    ...{ amr: ['pwd'], acr: 'aal1' },
    ...{ workspace_id, workspace_role: 'owner' },
  });
  expect(claims.jti).not.toBe(before.jti);
  expect((await world.as(`Bearer ${body.access_token}`).users.getMe()).status).toBe(200);
  // With the old token, which states another time.
  expect(signInClaims((await renew(ada)).access_token)).toEqual(signInClaims(body.access_token));
  expect(await sessionOf(other)).not.toHaveProperty('authenticated_at');
  await world.drainStream();
  const events = world.events().filter(({ type }) => type === 'session.reauthenticated');
  expect(events).toMatchObject([
    {
      actor: { kind: 'user', id: ada.uid },
      data: { user_id: ada.uid, session_id: sessionIdOf(ada), method: 'idpw' },
    },
  ]);
});

test('the token expires with the previous one, so that a stolen token gains no time', async () => {
  const ada = await longAgo();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (lifetimes.accessToken - 60) * 1_000 });
  const { body } = await again(ada, password);
  expect(claimsOf(body.access_token).exp).toBe(claimsOf(ada.access_token).exp);
  expect(body.expires_in).toBeLessThanOrEqual(60);
});

test('selecting a workspace with an old access token returns one with the current auth_time and acr', async () => {
  const { ada, app } = await withApp();
  const { workspace_id } = await world.workspace({ owner: ada });
  expect((await again(ada, { code: app.code() })).status).toBe(200);
  const { body } = await world.as(ada).sessions.selectWorkspace({ workspace_id });
  expect(signInClaims(body.access_token)).toMatchObject({ auth_time: isNow, acr: 'aal2' });
});

describe('a second factor', () => {
  test('200 a code works once, and the session is aal2 from then on', async () => {
    const { ada, app } = await withApp();
    const code = app.code();
    const { body } = await again(ada, { code });
    expect(signInClaims(body.access_token)).toEqual({
      ...{ auth_time: isNow, amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' },
    });
    expectProblem(await again(ada, { code }), 'invalid_credentials');
    expect(signInClaims((await renew(ada)).access_token)).toMatchObject({ acr: 'aal2' });
    expect(await sessionOf(ada)).toMatchObject({ second_factor: 'totp', method: 'idpw' });
  });

  test('200 a recovery code works once, and the user gets a mail', async () => {
    const { ada, recovery_codes } = await withApp();
    const [recovery_code] = recovery_codes;
    expect((await again(ada, { recovery_code })).status).toBe(200);
    expectProblem(await again(ada, { recovery_code }), 'invalid_credentials');
    await ours.mailTo(ada.email);
    const mails = world.mails().filter(({ to }) => to === ada.email);
    expect(mails.map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/recovery code/i),
    );
  });

  test('400 for the password alone of a user with a second factor', async () => {
    const { ada } = await withApp();
    expectInvalid(await again(ada, password), '/body/password');
    expect(await sessionOf(ada)).not.toHaveProperty('authenticated_at');
  });

  test('200 for the password once the project has turned second factors off', async () => {
    const of = await factorProject(world);
    const { ada, app } = await withApp(of);
    await world.operate({ action: 'update', project_id: of.project_id, mfa: 'off' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    expect((await again(ada, password)).status).toBe(200);
    expectProblem(await again(ada, { code: app.code() }), 'sign_in_method_disabled');
  });

  test('404 for a code of a user without an authenticator app', async () => {
    expectProblem(await again(await longAgo(), { code: '314159' }), 'not_found');
  });

  test('a later proof by password keeps aal2, even after the app is removed', async () => {
    const { ada, app } = await withApp();
    await again(ada, { code: app.code() });
    await world.as(ada.bearer).factors.deleteTotp({ code: app.code(1) });
    const { body } = await again(ada, password);
    expect(signInClaims(body.access_token)).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
      acr: 'aal2',
    });
  });

  test('a session that the backend started gets amr and acr from a later proof', async () => {
    const ada = await ours.newUser();
    const { app } = await ours.enrol(ada);
    expect(signInClaims(ada.access_token)).toEqual({
      auth_time: isNow,
      amr: undefined,
      acr: undefined,
    });
    const { body } = await again(ada, { code: app.code() });
    expect(signInClaims(body.access_token)).toMatchObject({ amr: ['otp', 'mfa'], acr: 'aal2' });
  });
});

describe('a passkey', () => {
  async function withPasskey() {
    const ada = await byKey.signUp(`key${(count += 1)}@passkeys.example.com`);
    const authenticator = newAuthenticator(page);
    const { publicKey } = (await byKey.creation(ada, { current_password: goodPassword })).body;
    await byKey.register(ada, authenticator.create(publicKey));
    await age(world, ada, 3_600);
    return { ada, authenticator };
  }

  test('200 counts as two factors, and its challenge works once', async () => {
    const { ada, authenticator } = await withPasskey();
    const passkey = authenticator.get(await byKey.request());
    const { body } = await again(ada, { passkey });
    expect(signInClaims(body.access_token)).toEqual({
      ...{ auth_time: isNow, amr: ['pwd', 'pop', 'user', 'mfa'], acr: 'aal2' },
    });
    expectProblem(await again(ada, { passkey }), 'invalid_credentials');
  });

  test("401 for another user's passkey, whose challenge stays valid", async () => {
    const [{ ada }, other] = [await withPasskey(), await withPasskey()];
    const passkey = other.authenticator.get(await byKey.request());
    expectProblem(await again(ada, { passkey }), 'invalid_credentials');
    expect((await again(other.ada, { passkey })).status).toBe(200);
  });

  test('401 for a passkey that signed the challenge of a registration', async () => {
    const { ada, authenticator } = await withPasskey();
    const { publicKey } = (await byKey.creation(ada, { current_password: goodPassword })).body;
    const { rpId } = await byKey.request();
    const { challenge } = publicKey as { challenge: string };
    const passkey = authenticator.get({ rpId, challenge });
    expectProblem(await again(ada, { passkey }), 'invalid_credentials');
  });
});

describe('400 for', () => {
  test.each([
    ['no proof', {}, ['password', 'code', 'recovery_code', 'passkey']],
    ['two proofs', { ...password, code: '314159' }, ['password', 'code']],
  ])('%s', async (_, proof, named) => {
    const refused = await again(await longAgo(), proof);
    expectInvalid(refused, ...named.map((each) => `/body/${each}`));
  });
});

describe('attempts are counted as at sign-in, before they are compared:', () => {
  test('wrong passwords', async () => {
    atWindow(rates.passwordFailures.seconds, 60);
    const ada = await longAgo();
    const { max } = rates.passwordFailures;
    const guesses = Array.from({ length: max + 3 }, () => again(ada, { password: 'wrong' }));
    const answers = await Promise.all(guesses);
    const compared = answers.filter(({ status }) => status === 401);
    expect(compared).toHaveLength(max);
    expectProblem(await again(ada, password), 'too_many_requests');
    const signingIn = await ours.byPassword(ada.email);
    expect(signingIn.status).toBe(429);
  });

  test('wrong codes', async () => {
    atWindow(rates.factorFailures.seconds, 60);
    const { ada, app } = await withApp();
    const { max } = rates.factorFailures;
    const guesses = Array.from({ length: max + 3 }, () => again(ada, { code: app.wrong() }));
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(max);
    expectProblem(await again(ada, { code: app.code() }), 'too_many_requests');
  });
});

test('of two concurrent requests with the same code, one succeeds', async () => {
  const { ada, app } = await withApp();
  const code = app.code();
  const answers = await Promise.all([again(ada, { code }), again(ada, { code })]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  expect(await sessionOf(ada)).toMatchObject({ second_factor: 'totp' });
});

test('two concurrent requests with a password both succeed', async () => {
  const ada = await longAgo();
  const answers = await Promise.all([again(ada, password), again(ada, password)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('403 for a password, a passkey or a code that the project does not offer', async () => {
  const off = await world.newProject({ password_sign_in: false });
  const ada = await world.user({ project: off, verified: true });
  const options = { userHandle: Buffer.alloc(16).toString('base64url') };
  const passkey = newAuthenticator(page).get(await byKey.request(), options);
  for (const proof of [password, { passkey }, { code: '314159' }])
    expectProblem(await again(ada, proof), 'sign_in_method_disabled');
});

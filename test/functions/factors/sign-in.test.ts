import { describe, expect, test } from 'vitest';
import { sessionPrefix } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { factorProject, type MfaRequired, newApp } from '../../support/factors.ts';
import { newPerson, settingsOf, signInByIdentity } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { atWindow } from '../../support/started.ts';
import type { Person } from '../../support/world.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const google = await startOpenidProvider();
const ours = await factorProject(world, { identity_providers: { google: settingsOf(google) } });
const { byPassword, enrol, factorsOf, finish, post, project, rest } = ours;

let people = 0;
/** A user with a password and an authenticator app. */
async function newUser() {
  people += 1;
  // The provider is authoritative for this domain.
  const email = `ada.factors.${people}@gmail.com`;
  const ada = await ours.signUp(email);
  return { ...(await enrol(ada, { current_password: goodPassword })), ada, email };
}
const sessionsOf = ({ uid }: Person) => world.table.query(keys.user(uid).pk, sessionPrefix);

describe('a first factor starts no session for a user with an app', () => {
  const asked = {
    mfa_required: true,
    mfa_token: expect.stringMatching(/^[\w-]{43}$/),
    methods: ['totp', 'recovery_code'],
  };
  const firsts: Record<string, (email: string) => Promise<{ status: number; body: unknown }>> = {
    'a password': byPassword,
    'a mailed code': async (email) => post('/sessions/code', await ours.code(email)),
    'a mailed new password': async (email) => {
      await post('/passwords/forgotten', { email });
      const token = await ours.mailed(email);
      return post('/passwords', { token, password: `${goodPassword} again` });
    },
    'an account at a provider': async (email) =>
      signInByIdentity(ours, await google.idToken(newPerson({ email }))),
  };
  test.each(Object.entries(firsts))('%s', async (_, first) => {
    const { ada, app, email } = await newUser();
    const before = await sessionsOf(ada);
    const { status, body } = await first(email);
    expect({ status, body }).toEqual({ status: 200, body: asked });
    const after = await sessionsOf(ada);
    expect(after.length).toBeLessThanOrEqual(before.length);
    const done = await finish(body as MfaRequired, { code: app.code() });
    expect(done.status).toBe(201);
    expect(done.body).toMatchObject({ uid: ada.uid, user_created: false });
    expect((await world.call('GET', '/users/me', `Bearer ${done.body.access_token}`)).status).toBe(
      200,
    );
  });

  test('the session has the sign-in method of the first factor', async () => {
    const { ada, app, email } = await newUser();
    const done = await finish((await byPassword(email)).body, { code: app.code() });
    const { body } = await world.as(ours.person(done.body)).sessions.list({});
    expect(body.result.find((session: { current: boolean }) => session.current)?.method).toBe(
      'idpw',
    );
    expect(body.result.length).toBe((await sessionsOf(ada)).length);
  });

  test('except in a project that has turned second factors off', async () => {
    const { email, ada } = await newUser();
    const other = await factorProject(world, { mfa: 'off' });
    const eve = await other.signUp('eve@factors.example.com');
    await world.table.update(keys.user(eve.uid), { factor_method: 'idpw' });
    expect((await other.byPassword('eve@factors.example.com')).status).toBe(201);
    expect([(await byPassword(email)).status, ada.email]).toEqual([200, email]);
  });
});

test('403 for the second step once the project has turned the first factor off', async () => {
  const off = { code_sign_in: false, link_sign_in: false };
  const other = await factorProject(world, { ...off, mfa: 'required' });
  const { body } = await other.signUpWithMfa('begun@factors.example.com');
  for (const method of ['email_code', 'email_link', 'google', 'constructor']) {
    await world.table.update(keys.mfaToken(body.mfa_token), { method });
    expectProblem(await other.startEnrolment(body), 'sign_in_method_disabled');
    expectProblem(await other.confirmEnrolment(body, '123456'), 'sign_in_method_disabled');
    expectProblem(await other.finish(body, { code: '123456' }), 'sign_in_method_disabled');
  }
});

test('a wrong password gets the same error for a user with a factor and for an unknown e-mail', async () => {
  const { email } = await newUser();
  const wrong = await post('/sessions/password', { email, password: 'wrong' });
  expectProblem(wrong, 'invalid_credentials');
  const nobodys = { email: 'nobody@factors.example.com', password: 'wrong' };
  expectProblem(await post('/sessions/password', nobodys), 'invalid_credentials');
});

describe('tokens state how the user has signed in', () => {
  const signInClaims = ({ body }: { body: { access_token: string } }) => {
    const { auth_time = 0, amr, acr, iat = 0 } = claimsOf(body.access_token);
    return { age: iat - auth_time, amr, acr };
  };
  const two = { age: 0, amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' };

  test('with a code of the app or a recovery code, also after a refresh', async () => {
    const { app, email, recovery_codes } = await newUser();
    const done = await finish((await byPassword(email)).body, { code: app.code() });
    expect(signInClaims(done)).toEqual(two);
    const [recovery_code] = recovery_codes;
    expect(signInClaims(await finish((await byPassword(email)).body, { recovery_code }))).toEqual(
      two,
    );
    const accessToken = done.body.access_token;
    const renewed = await world.renew(done.body);
    expect(signInClaims(renewed)).toMatchObject({ amr: two.amr, acr: two.acr });
    expect(claimsOf(renewed.body.access_token).auth_time).toBe(claimsOf(accessToken).auth_time);
  });

  test('with a password alone', async () => {
    const email = 'one.factor@factors.example.com';
    await ours.signUp(email);
    const { body } = await post<{ access_token: string }>('/sessions/password', {
      ...{ email, password: goodPassword },
    });
    expect(signInClaims({ body })).toEqual({ age: 0, amr: ['pwd'], acr: 'aal1' });
  });

  test('with a provider, which is one factor of unknown kind', async () => {
    const idToken = await google.idToken(newPerson({ email: 'said@gmail.com' }));
    const { body } = await signInByIdentity(ours, idToken);
    expect(signInClaims({ body })).toEqual({ age: 0, amr: undefined, acr: 'aal1' });
  });
});

describe('the MFA token', () => {
  test('works once, even for two concurrent requests', async () => {
    const { app, email, recovery_codes } = await newUser();
    const { body } = await byPassword(email);
    const answers = await Promise.all([
      finish(body, { code: app.code() }),
      finish(body, { recovery_code: recovery_codes[0] ?? '' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400]);
    const again = await finish(body, { recovery_code: recovery_codes[1] ?? '' });
    expectProblem(again, 'mfa_token_invalid');
  });

  test('stays valid after a wrong code', async () => {
    const { app, email } = await newUser();
    const { body } = await byPassword(email);
    expectProblem(await finish(body, { code: app.wrong() }), 'invalid_credentials');
    expect((await finish(body, { code: app.code() })).status).toBe(201);
  });

  test('expires after ten minutes', async () => {
    const { app, email } = await newUser();
    const { body } = await byPassword(email);
    const expires_at = Math.floor(Date.now() / 1_000);
    await world.table.update(keys.mfaToken(body.mfa_token), { expires_at });
    expectProblem(await finish(body, { code: app.code() }), 'mfa_token_invalid');
  });

  test('works only in its project', async () => {
    const { app, email } = await newUser();
    const { body } = await byPassword(email);
    const other = await factorProject(world);
    expectProblem(await other.finish(body, { code: app.code() }), 'mfa_token_invalid');
    expect((await finish(body, { code: app.code() })).status).toBe(201);
  });

  test('ends with a change of the password, and with a reset of the factor', async () => {
    const { ada, app, email } = await newUser();
    const first = await byPassword(email);
    const new_password = `${goodPassword} changed`;
    await world.as(ada).passwords.change({ current_password: goodPassword, new_password });
    expectProblem(await finish(first.body, { code: app.code() }), 'mfa_token_invalid');
    const second = await post<MfaRequired>('/sessions/password', { email, password: new_password });
    await world.call('DELETE', `/users/${ada.uid}/factors`, project.basic);
    expectProblem(await finish(second.body, { code: app.code() }), 'mfa_token_invalid');
  });

  test('ends with all sessions, even if the user has none', async () => {
    const { ada, app, email } = await newUser();
    const path = `/sessions?user_id=${ada.uid}`;
    for (let i = 0; i < 2; i += 1) {
      const { body } = await byPassword(email);
      expect((await world.call('DELETE', path, project.basic)).status).toBe(200);
      expectProblem(await finish(body, { code: app.code() }), 'mfa_token_invalid');
    }
    expect((await finish((await byPassword(email)).body, { code: app.code() })).status).toBe(201);
  });

  test('starts no session that survives a concurrent end of all sessions', async () => {
    const { ada, app, email } = await newUser();
    const { body } = await byPassword(email);
    const [done] = await Promise.all([
      finish(body, { code: app.code() }),
      world.call('DELETE', `/sessions?user_id=${ada.uid}`, project.basic),
    ]);
    expect([201, 400]).toContain(done.status);
    const opened = await world.call('GET', '/users/me', `Bearer ${done.body.access_token}`);
    expect(opened.status).toBe(401);
  });

  test('of a user who was disabled since starts no session', async () => {
    const { ada, app, email } = await newUser();
    const { body } = await byPassword(email);
    await world.call('PUT', `/users/${ada.uid}`, project.basic, { disabled: true });
    const refused = await finish(body, { code: app.code() });
    expect([400, 403]).toContain(refused.status);
    expectProblem(await byPassword(email), 'user_disabled');
  });

  test('is not in the table', async () => {
    const { email } = await newUser();
    const { body } = await byPassword(email);
    expect(JSON.stringify(await world.table.all())).not.toContain(body.mfa_token);
  });
});

describe('codes', () => {
  test('a recovery code used twice concurrently starts one session', async () => {
    const { email, recovery_codes } = await newUser();
    const tokens = [(await byPassword(email)).body, (await byPassword(email)).body];
    const recovery_code = recovery_codes[0] ?? '';
    const answers = await Promise.all(tokens.map((token) => finish(token, { recovery_code })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401]);
  });

  test('a code of the app used twice concurrently starts one session', async () => {
    const { app, email } = await newUser();
    const tokens = [(await byPassword(email)).body, (await byPassword(email)).body];
    const answers = await Promise.all(tokens.map((token) => finish(token, { code: app.code() })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401]);
  });

  test('a used recovery code is reported by mail and by an event', async () => {
    const { ada, email, recovery_codes } = await newUser();
    const { body } = await byPassword(email);
    await finish(body, { recovery_code: recovery_codes[0] ?? '' });
    expect((await factorsOf(ada).list()).body.result[0]).toMatchObject({ recovery_codes_left: 9 });
    expect(await ours.subjectsTo(email)).toContain('A recovery code for Test was used');
    const types = world
      .events()
      .flatMap(({ type, data }) => (data['user_id'] === ada.uid ? [type] : []));
    expect(types.slice(-2)).toEqual(['user.recovery_code_used', 'session.started']);
  });

  test('wrong codes are counted across tokens, before they are compared', async () => {
    atWindow(rates.factorFailures.seconds, 60);
    const { app, email } = await newUser();
    const { max } = rates.factorFailures;
    const tokens = await Promise.all(Array.from({ length: 3 }, () => byPassword(email)));
    const answers = await Promise.all(
      Array.from({ length: max + 3 }, (_, i) =>
        finish(tokens[i % 3]?.body as MfaRequired, { code: app.wrong() }),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(max);
    const late = await finish((await byPassword(email)).body, { code: app.code() });
    expectProblem(late, 'too_many_requests');
  });

  test('right codes do not count as failures, and reset the number of consecutive wrong ones', async () => {
    const { ada, app, email } = await newUser();
    await finish((await byPassword(email)).body, { code: app.wrong() });
    expect(await world.table.get(keys.factor(ada.uid))).toMatchObject({ tries: 1 });
    for (let i = 0; i < rates.factorFailures.max + 2; i += 1) {
      await rest(ada.uid);
      expect((await finish((await byPassword(email)).body, { code: app.code() })).status).toBe(201);
    }
    expect(await world.table.get(keys.factor(ada.uid))).toMatchObject({ tries: 0 });
  });

  test('99 earlier windows with one wrong code each do not block a right code', async () => {
    const { ada, app, email } = await newUser();
    const tries = limits.wrongFactorCodesInARow - 1;
    const former = Array.from({ length: tries }, (_, i) => [`w${1_900_000 + i}`, 1]);
    await world.table.update(keys.factor(ada.uid), { tries, ...Object.fromEntries(former) });
    expect((await finish((await byPassword(email)).body, { code: app.code() })).status).toBe(201);
    const left = (await world.table.get(keys.factor(ada.uid))) ?? {};
    expect(Object.keys(left).filter((name) => /^w\d/.test(name))).toHaveLength(1);
  });

  test('after a hundred consecutive wrong codes only recovery codes work', async () => {
    const { ada, app, email, recovery_codes } = await newUser();
    const tries = limits.wrongFactorCodesInARow;
    const { body } = await byPassword(email);
    // The hundredth failure is also the last one allowed within 15 minutes.
    const { max, seconds } = rates.factorFailures;
    const window = `w${Math.floor(Date.now() / 1_000 / seconds)}`;
    for (const inWindow of [0, max]) {
      await world.table.update(keys.factor(ada.uid), { tries, [window]: inWindow });
      expectProblem(await finish(body, { code: app.code() }), 'factor_locked');
    }
    expect((await finish(body, { recovery_code: recovery_codes[0] ?? '' })).status).toBe(201);
  });

  test('400 for neither a code nor a recovery code, and for both', async () => {
    const { app, email } = await newUser();
    const { body } = await byPassword(email);
    expectInvalid(await finish(body, {}), '/body/code');
    const both = { code: app.code(), recovery_code: 'k7m2x-9qd4r-w5hep' };
    expectInvalid(await finish(body, both), '/body/code');
  });
});

test('a retry of the first step with the same Idempotency-Key gets the same response', async () => {
  const { email } = await newUser();
  const ask = () =>
    world.call({
      ...{ method: 'POST', path: '/sessions/password' },
      body: { project_id: ours.project_id, email, password: goodPassword },
      headers: { 'idempotency-key': `first-step-of-${ours.project_id}` },
    });
  const [first, again] = [await ask(), await ask()];
  expect([again.status, again.body]).toEqual([200, first.body]);
});

test('a sign-in that races the addition of a factor succeeds or asks for it; the next one asks', async () => {
  const email = 'racing@factors.example.com';
  const ada = await ours.signUp(email);
  const { secret } = (await factorsOf(ada).startTotp({ current_password: goodPassword })).body;
  const [answer] = await Promise.all([
    byPassword(email),
    factorsOf(ada).confirmTotp({ code: newApp(secret).code() }),
  ]);
  expect([200, 201]).toContain(answer.status);
  expect((await byPassword(email)).status).toBe(200);
});

test('a password reset by mail keeps the factor, so the mailbox alone starts no session', async () => {
  const { ada, email } = await newUser();
  await post('/passwords/forgotten', { email });
  const token = await ours.mailed(email);
  const password = `${goodPassword} of the mailbox`;
  expect((await post<MfaRequired>('/passwords', { token, password })).body.mfa_required).toBe(true);
  expect((await world.call('GET', '/users/me', ada.bearer)).status).toBe(401);
  expect((await post('/sessions/password', { email, password })).status).toBe(200);
  // All sessions have ended, so this device is the only known one: a thief's is not.
  expect((await world.table.get(keys.user(ada.uid)))?.['devices']).toHaveLength(1);
});

import { describe, expect, test } from 'vitest';
import { sessionPrefix } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectProblem } from '../../support/expectations.ts';
import { factorProject, type MfaRequired, newApp } from '../../support/factors.ts';
import { newPerson, settingsOf, signInByIdentity } from '../../support/identities.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { goodPassword } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const google = await startOpenidProvider();
const ours = await factorProject(world, {
  mfa: 'required',
  identity_providers: { google: settingsOf(google) },
});
const { byPassword, confirmEnrolment, factorsOf, finish, person, post, startEnrolment } = ours;

const asked = {
  mfa_required: true,
  mfa_token: expect.stringMatching(/^[\w-]{43}$/),
  methods: ['enrol'],
};
let people = 0;
const newEmail = () => {
  people += 1;
  return `grace.required.${people}@gmail.com`;
};
/** A user with a password and no app, and the MFA token of a sign-in. */
async function newUser() {
  const email = newEmail();
  await ours.signUpWithMfa(email);
  const { body } = await byPassword(email);
  const { uid = '' } = (await world.table.get(keys.mfaToken(body.mfa_token))) as { uid?: string };
  return { email, body, uid };
}
const sessionsOf = (uid: string) => world.table.query(keys.user(uid).pk, sessionPrefix);
const start = async (token: MfaRequired) => newApp((await startEnrolment(token)).body.secret);

describe('a first factor starts no session for a user without an app', () => {
  const firsts: Record<string, (email: string) => Promise<{ status: number; body: unknown }>> = {
    'a mailed code': async (email) => post('/sessions/code', await ours.code(email)),
    'a mailed new password': async (email) => ours.signUpWithMfa(email),
    'an account at a provider': async (email) =>
      signInByIdentity(ours, await google.idToken(newPerson({ email }))),
  };
  test.each(Object.entries(firsts))('%s, of a new user', async (_, first) => {
    const answer = await first(newEmail());
    expect([answer.status, answer.body]).toEqual([200, asked]);
    const body = answer.body as MfaRequired;
    const app = await start(body);
    const done = await confirmEnrolment(body, app.code());
    expect(done.status).toBe(201);
    expect(done.body.user_created).toBe(true);
    expect(claimsOf(done.body.access_token).acr).toBe('aal2');
    expect(done.body.recovery_codes).toHaveLength(10);
    const signedIn = person(done.body);
    expect((await factorsOf(signedIn).list()).body.result).toHaveLength(1);
    await world.drainStream();
    const types = world
      .events()
      .flatMap(({ type, data }) => (data['user_id'] === signedIn.uid ? [type] : []));
    expect(types[0]).toBe('user.created');
    expect(types.slice(-2)).toEqual(['user.factor_added', 'session.started']);
  });

  test.each(Object.entries(firsts))('%s, of an existing user', async (_, first) => {
    const email = newEmail();
    const { uid } = await world.user({ email, verified: true, project: ours.project });
    const before = await sessionsOf(uid);
    const answer = await first(email);
    expect([answer.status, answer.body]).toEqual([200, asked]);
    // No other one; a new password ends those from before.
    expect(before).toEqual(expect.arrayContaining(await sessionsOf(uid)));
    const body = answer.body as MfaRequired;
    const app = await start(body);
    const done = await confirmEnrolment(body, app.code());
    expect(done.body).toMatchObject({ uid, user_created: false });
  });

  test('a password', async () => {
    const { body, email, uid } = await newUser();
    expect(body).toEqual(asked);
    expect(await sessionsOf(uid)).toEqual([]);
    const app = await start(body);
    expect((await confirmEnrolment(body, app.code())).status).toBe(201);
    expect((await ours.mailTo(email))?.subject).toBe('Two-step sign-in for Test is on');
    await ours.rest(uid);
    const next = (await byPassword(email)).body;
    expect(next.methods).toEqual(['totp', 'recovery_code']);
    expect((await finish(next, { code: app.code() })).status).toBe(201);
  });
});

describe('the MFA token', () => {
  test('works for one confirmation, even of two concurrent ones, and starts one session', async () => {
    const { body, uid } = await newUser();
    const app = await start(body);
    const answers = await Promise.all([
      confirmEnrolment(body, app.code()),
      confirmEnrolment(body, app.code()),
    ]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await sessionsOf(uid)).toHaveLength(1);
    expectProblem(await startEnrolment(body), 'mfa_token_invalid');
    expectProblem(await confirmEnrolment(body, app.code()), 'mfa_token_invalid');
  });

  test('of an earlier sign-in confirms no factor once a later sign-in has started an enrolment', async () => {
    const { body: first, email, uid } = await newUser();
    const second = (await byPassword(email)).body;
    const replaced = await start(first);
    const app = await start(second);
    expectProblem(await confirmEnrolment(first, replaced.code()), 'not_found');
    expect((await confirmEnrolment(second, app.code())).status).toBe(201);
    expectProblem(await startEnrolment(first), 'mfa_token_invalid');
    expect(await sessionsOf(uid)).toHaveLength(1);
  });

  test('stays valid after a wrong code, and expires after ten minutes', async () => {
    const { body } = await newUser();
    const app = await start(body);
    expectProblem(await confirmEnrolment(body, app.wrong()), 'invalid_credentials');
    const expires_at = Math.floor(Date.now() / 1_000);
    await world.table.update(keys.mfaToken(body.mfa_token), { expires_at });
    expectProblem(await confirmEnrolment(body, app.code()), 'mfa_token_invalid');
    expectProblem(await startEnrolment(body), 'mfa_token_invalid');
  });

  test('ends with a change of the password, works only in its project and starts no session without an app', async () => {
    const { body, uid } = await newUser();
    const other = await factorProject(world, { mfa: 'required' });
    expectProblem(await other.startEnrolment(body), 'mfa_token_invalid');
    expectProblem(await finish(body, { code: '123456' }), 'not_found');
    await start(body);
    expectProblem(await finish(body, { code: '123456' }), 'not_found');
    const ada = await world.session(uid, ours.project);
    const new_password = `${goodPassword} changed`;
    await world.as(ada).passwords.change({ current_password: goodPassword, new_password });
    expectProblem(await startEnrolment(body), 'mfa_token_invalid');
  });

  test('of a user who has an app cannot add another one', async () => {
    const { body, email } = await newUser();
    const app = await start(body);
    await confirmEnrolment(body, app.code());
    const next = (await byPassword(email)).body;
    expectProblem(await startEnrolment(next), 'factor_exists');
  });

  test('of a user who was disabled since starts no session and adds no factor', async () => {
    const { body, uid } = await newUser();
    const app = await start(body);
    await world.call('PUT', `/users/${uid}`, ours.project.basic, { disabled: true });
    expect([400, 403]).toContain((await confirmEnrolment(body, app.code())).status);
    expect(await sessionsOf(uid)).toEqual([]);
    expect(await world.table.get(keys.factor(uid))).not.toHaveProperty('confirmed_at');
  });
});

test('only the backend can remove the app; the next sign-in then adds another', async () => {
  const { body, email, uid } = await newUser();
  const app = await start(body);
  const ada = person((await confirmEnrolment(body, app.code())).body);
  const removed = await world.call('DELETE', '/users/me/factors/totp', ada.bearer, {
    code: app.code(1),
  });
  expectProblem(removed, 'factor_required');
  const reset = await world.call('DELETE', `/users/${uid}/factors`, ours.project.basic);
  expect(reset.status).toBe(200);
  expect((await byPassword(email)).body.methods).toEqual(['enrol']);
});

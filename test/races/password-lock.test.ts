import { beforeEach, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import {
  countPasswordAttempt,
  recordRightPassword,
  recordWrongPassword,
} from '#shared/identity/passwords/password-attempts.ts';
import { rates } from '#shared/model/rates.ts';
import { isTransaction, lostAnswers, lostCalls } from '../faults/fault.ts';
import { expectProblem, expectSame } from '../support/expectations.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { guessedAt } from '../support/limits.ts';
import { goodPassword, type SignIn, type Started, signInProject } from '../support/sign-in.ts';
import { atWindow, pass } from '../support/started.ts';
import { counted } from './many.ts';

const { faults, world } = await startFaultyWorld();
beforeEach(() => {
  atWindow(rates.passwordFailures.seconds, 60);
});
const wrong = 'incorrect horse battery staple';
const subject = 'Your password for Test was locked';
const signIn = ({ post }: SignIn, email: string, password = goodPassword) =>
  post<Started & { code: string }>('/sessions/password', { email, password });
const triesOf = ({ project_id }: SignIn, email: string) =>
  world.table.get(keys.passwordTries({ project_id, email }));
const guessed = ({ project_id }: SignIn, email: string, total?: number) =>
  guessedAt(world, { project_id, email }, total);
const mailsWritten = async (to: string) =>
  (await world.table.all()).filter(
    (item) => item['kind'] === 'password_locked' && item['to'] === to,
  );

/** A request that waits for its background work. */
const request = <T>(work: (now: Date) => Promise<T>): Promise<T> =>
  runInRequest('test', 2_500, async ({ now, backgroundWork }) => {
    try {
      return await work(now);
    } finally {
      await Promise.allSettled(backgroundWork);
    }
  });

test('100 consecutive wrong passwords take ten windows of ten; then the password is locked, even after a year', async () => {
  const account = { project_id: 'demo', email: 'row@example.com' };
  const fail = () =>
    request(async (now) =>
      recordWrongPassword(account, await countPasswordAttempt(account, now), now),
    ).then(
      () => 'compared',
      (error: { code?: string }) => error.code,
    );
  for (let window = 0; window < 9; window += 1) {
    for (let i = 0; i < 10; i += 1) expect(await fail()).toBe('compared');
    expect(await fail()).toBe('too_many_requests');
    pass(rates.passwordFailures.seconds * 1_000);
  }
  for (let i = 0; i < 10; i += 1) expect(await fail()).toBe('compared');
  expect(await fail()).toBe('password_locked');
  const { told_at, expires_at, total } = (await world.table.get(keys.passwordTries(account))) ?? {};
  expect({ told_at, expires_at, total }).toEqual({
    told_at: new Date().toISOString(),
    expires_at: undefined,
    total: 100,
  });
  pass(366 * 86_400_000);
  expect(await fail()).toBe('password_locked');
  expect(await mailsWritten(account.email)).toHaveLength(1);
});

test('a right password resets the count, and only the current window remains stored', async () => {
  const account = { project_id: 'demo', email: 'right@example.com' };
  const tried = () => request((now) => countPasswordAttempt(account, now));
  for (let i = 0; i < 3; i += 1) await tried();
  pass(rates.passwordFailures.seconds * 1_000);
  await tried();
  await request(async (now) => {
    await countPasswordAttempt(account, now);
    recordRightPassword(account, now);
    recordRightPassword(account, now);
  });
  const { seconds } = rates.passwordFailures;
  const window = Math.floor(Date.now() / 1_000 / seconds);
  expect(await world.table.get(keys.passwordTries(account))).toEqual({
    ...keys.passwordTries(account),
    [`w${window}`]: 1,
    total: 0,
    expires_at: (window + 2) * seconds,
    write_id: expect.any(String),
  });
});

test('403 the response is the same for any e-mail, and only a user with a password and a verified e-mail is notified by mail', async () => {
  const at = await signInProject(world);
  await at.signUp('known@example.com');
  await at.signInByCode('code-only@example.com');
  const { uid } = await at.signUp('moving@example.com');
  const moved = { email: 'unverified@example.com' };
  const { basic: auth } = at.project;
  await world.call({ method: 'PUT', path: `/users/${uid}`, auth, body: moved });
  const names = ['known', 'nobody', 'code-only', 'unverified'];
  const emails = names.map((name) => `${name}@example.com`);
  const [known = ''] = emails;
  for (const email of emails) {
    await guessed(at, email);
    expectProblem(await signIn(at, email, wrong), 'invalid_credentials');
  }
  const refused = await signIn(at, known);
  expectProblem(refused, 'password_locked');
  for (const email of emails)
    for (const password of [wrong, goodPassword])
      expectSame(await signIn(at, email, password), refused);
  for (const email of emails) expect(await mailsWritten(email)).toHaveLength(1);
  expect((await at.mailTo(known))?.subject).toBe(subject);
  for (const email of emails.slice(1)) expect((await at.mailTo(email))?.subject).not.toBe(subject);
});

test('other sign-in methods stay open, and a new password by mail unlocks in its own transaction', async () => {
  const at = await signInProject(world);
  const email = 'locked@example.com';
  const { bearer } = await at.signUp(email);
  await guessed(at, email);
  const change = (current_password: string) =>
    world.call('PUT', '/users/me/password', bearer, { current_password, new_password: wrong });
  expectProblem(await change('not the password'), 'invalid_credentials');
  expectProblem(await change(goodPassword), 'password_locked');
  expectProblem(await signIn(at, email), 'password_locked');
  expect((await at.post('/sessions/code', await at.code(email))).status).toBe(201);
  expectProblem(await signIn(at, email), 'password_locked');
  pass(1_000);
  await at.post('/passwords/forgotten', { email });
  const token = await at.mailed(email);
  faults.calls.length = 0;
  expect((await at.post('/passwords', { token, password: wrong })).status).toBe(201);
  expect(faults.calls.map(({ operation }) => operation)).not.toContain('DeleteItem');
  expect(await triesOf(at, email)).toBeUndefined();
  expect((await signIn(at, email, wrong)).status).toBe(201);
});

test('an e-mail that was locked before sign-up can sign up and sign in', async () => {
  const at = await signInProject(world);
  await guessed(at, 'early@example.com');
  await signIn(at, 'early@example.com', wrong);
  expectProblem(await signIn(at, 'early@example.com'), 'password_locked');
  await at.signUp('early@example.com');
  expect((await signIn(at, 'early@example.com')).status).toBe(201);
});

test('a right password as the hundredth attempt succeeds, and resets the count', async () => {
  const at = await signInProject(world);
  await at.signUp('last@example.com');
  await guessed(at, 'last@example.com');
  expect((await signIn(at, 'last@example.com')).status).toBe(201);
  expectProblem(await signIn(at, 'last@example.com', wrong), 'invalid_credentials');
  expect(await triesOf(at, 'last@example.com')).toMatchObject({ total: 1 });
  expect(await mailsWritten('last@example.com')).toEqual([]);
});

test('concurrent wrong passwords are compared only up to the limit, and one mail is written', async () => {
  const at = await signInProject(world);
  const email = 'many@example.com';
  await at.signUp(email);
  await guessed(at, email, 97);
  const all = Array.from({ length: 8 }, () => signIn(at, email, wrong));
  expect(counted(await Promise.all(all))).toEqual({ invalid_credentials: 3, password_locked: 5 });
  expect(await mailsWritten(email)).toHaveLength(1);
});

test('if the last attempt could not send the mail, a later attempt sends it', async () => {
  const at = await signInProject(world);
  const email = 'unnotified@example.com';
  await at.signUp(email);
  await guessed(at, email, 100);
  // The last attempt may still be in flight, and correct.
  expectProblem(await signIn(at, email), 'password_locked');
  expect(await mailsWritten(email)).toEqual([]);
  pass(60_000);
  for (let i = 0; i < 2; i += 1) expectProblem(await signIn(at, email), 'password_locked');
  expect(await mailsWritten(email)).toHaveLength(1);
  expect(await triesOf(at, email)).not.toHaveProperty('expires_at');
});

test.each(Object.entries({ ...lostAnswers, ...lostCalls }))(
  '%s of the mail: the mail is written once',
  async (name, fault) => {
    const account = { project_id: 'demo', email: `${name.replaceAll(/\W/g, '')}@example.com` };
    await guessedAt(world, account);
    faults.inject(fault, { when: isTransaction });
    await request(async (now) =>
      recordWrongPassword(account, await countPasswordAttempt(account, now), now),
    );
    expect(await mailsWritten(account.email)).toHaveLength(1);
  },
);

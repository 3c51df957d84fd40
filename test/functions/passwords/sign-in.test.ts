import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { type Call, changed, isTransaction } from '../../faults/fault.ts';
import { counted } from '../../races/many.ts';
import { expectProblem, expectSame } from '../../support/expectations.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import { goodPassword, type SignIn, type Started, signInProject } from '../../support/sign-in.ts';
import { aSession, atWindow, pass } from '../../support/started.ts';

// The proxy runs another request exactly between two steps of one.
const { faults, world } = await startFaultyWorld();
const minute = 60;
const wrong = 'incorrect horse battery staple';
const signIn = ({ post }: SignIn, email: string, password = goodPassword) =>
  post<Started & { code: string }>('/sessions/password', { email, password });
const retryAfter = ({ headers }: { headers: Headers }) => headers.get('retry-after');

test('201 starts a session and records the sign-in, and changes nothing else', async () => {
  const at = await signInProject(world);
  const { uid, user } = await at.signUp('ada@example.com');
  pass(1_000);
  const { status, headers, body } = await signIn(at, 'ada@example.com');
  expect(status).toBe(201);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual(aSession(user));
  expect(body.user.last_sign_in_at).toBe(new Date().toISOString());
  expect((await world.as(at.project).users.get({ uid })).body).toEqual(body.user);
  const me = await world.as(`Bearer ${body.access_token}`).users.getMe();
  expect(me.body).toEqual(body.user);
});

test('401 with one response for a wrong password, an unknown e-mail and a user without a password', async () => {
  const at = await signInProject(world);
  const elsewhere = await signInProject(world);
  const { uid } = await at.signUp('known@example.com');
  await at.signInByCode('code-only@example.com');
  await world.user({ email: 'made@example.com', project: at.project });
  await elsewhere.signUp('elsewhere@example.com');
  const before = await world.table.query(`USER#${uid}`);
  const answer = await signIn(at, 'known@example.com', wrong);
  expectProblem(answer, 'invalid_credentials');
  for (const name of ['nobody', 'code-only', 'made', 'elsewhere'])
    expectSame(await signIn(at, `${name}@example.com`), answer);
  expect(await world.table.query(`USER#${uid}`)).toEqual(before);
});

test('429 after ten failures until the window ends, also for an unknown e-mail', async () => {
  const at = await signInProject(world);
  await at.signUp('locked@example.com');
  atWindow(15 * minute, minute);
  const emails = ['locked@example.com', 'nobody@example.com'] as const;
  for (const email of emails)
    for (let i = 0; i < 10; i += 1)
      expectProblem(await signIn(at, email, wrong), 'invalid_credentials');
  const [known, unknown] = [await signIn(at, emails[0], wrong), await signIn(at, emails[1], wrong)];
  expectProblem(known, 'too_many_requests');
  expect(retryAfter(known)).toBe(String(14 * minute));
  expectSame(known, unknown);
  expectSame(await signIn(at, emails[0]), known);
  expectProblem(await signIn(at, 'LOCKED@example.com'), 'too_many_requests');
  await at.signUp('free@example.com');
  expect((await signIn(at, 'free@example.com')).status).toBe(201);
  pass((14 * minute - 1) * 1_000);
  expect(retryAfter(await signIn(at, emails[0]))).toBe('1');
  pass(1_000);
  expect((await signIn(at, emails[0])).status).toBe(201);
});

test('a success does not count as an attempt, and resets no failures', async () => {
  const at = await signInProject(world);
  await at.signUp('typist@example.com');
  atWindow(15 * minute, minute);
  for (let i = 0; i < 9; i += 1) await signIn(at, 'typist@example.com', wrong);
  for (let i = 0; i < 3; i += 1) expect((await signIn(at, 'typist@example.com')).status).toBe(201);
  expectProblem(await signIn(at, 'typist@example.com', wrong), 'invalid_credentials');
  expectProblem(await signIn(at, 'typist@example.com'), 'too_many_requests');
});

test('429 after a hundred failures from one address, in that project alone', async () => {
  const [at, other] = [await signInProject(world), await signInProject(world)];
  for (const { signUp } of [at, other]) await signUp('busy@example.com');
  atWindow(10 * minute, 2 * minute);
  const window = Math.floor(Date.now() / (10 * minute * 1_000));
  const counter = keys.rate('failuresFromOne', `${at.project_id} 127.0.0.1`, window);
  await world.table.put({ ...counter, count: 99 });
  for (let i = 0; i < 3; i += 1) expect((await signIn(at, 'busy@example.com')).status).toBe(201);
  expectProblem(await signIn(at, 'busy@example.com', 'wrong'), 'invalid_credentials');
  const refused = await signIn(at, 'busy@example.com');
  expectProblem(refused, 'too_many_requests');
  expect(retryAfter(refused)).toBe(String(8 * minute));
  expectSame(await signIn(at, 'nobody@example.com'), refused);
  expect((await signIn(other, 'busy@example.com')).status).toBe(201);
});

/** A hash as an earlier release may have stored it. */
function oldHash(password: string): string {
  const [m, t, p] = [8_192, 1, 1];
  const nonce = Buffer.alloc(16, 7);
  const given = { message: password, nonce, memory: m, passes: t, parallelism: p, tagLength: 32 };
  const [salt, tag] = [nonce, argon2Sync('argon2id', given)].map((bytes) =>
    bytes.toString('base64').replace(/=+$/, ''),
  );
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt}$${tag}`;
}

test('the right password updates a hash with old parameters, once; a wrong one does not', async () => {
  const at = await signInProject(world);
  const { uid, user } = await at.signUp('old@example.com');
  const stored = () => world.table.get(keys.password(uid));
  await world.table.update(keys.password(uid), { hash: oldHash(goodPassword) });
  const old = await stored();
  expectProblem(await signIn(at, 'old@example.com', wrong), 'invalid_credentials');
  expect(await stored()).toEqual(old);
  const { status, body } = await signIn(at, 'old@example.com');
  expect(status).toBe(201);
  expect(body).toEqual(aSession(user));
  const hash = expect.stringMatching(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  const fresh = await stored();
  expect(fresh).toEqual({ ...old, hash });
  expect((await signIn(at, 'old@example.com')).status).toBe(201);
  expect(await stored()).toEqual(fresh);
  expectProblem(await signIn(at, 'old@example.com', wrong), 'invalid_credentials');
});

test('three concurrent sign-ins with an old hash succeed, and count no attempt', async () => {
  const at = await signInProject(world);
  const { uid } = await at.signUp('thrice@example.com');
  await world.table.update(keys.password(uid), { hash: oldHash(goodPassword) });
  atWindow(15 * minute, minute);
  const all = Array.from({ length: 3 }, () => signIn(at, 'thrice@example.com'));
  expect(counted(await Promise.all(all))).toEqual({ 201: 3 });
  const window = Math.floor(Date.now() / (15 * minute * 1_000));
  const { project_id } = at;
  const tries = await world.table.get(
    keys.passwordTries({ project_id, email: 'thrice@example.com' }),
  );
  expect(tries).toMatchObject({ total: 0, [`w${window}`]: 0 });
});

test('403 for a disabled user, but only with the right password', async () => {
  const at = await signInProject(world);
  const { uid } = await at.signUp('disabled@example.com');
  const set = (disabled: boolean) => world.as(at.project).users.update({ uid, disabled });
  await set(true);
  expectProblem(await signIn(at, 'disabled@example.com'), 'user_disabled');
  expectProblem(await signIn(at, 'disabled@example.com', wrong), 'invalid_credentials');
  expect(await world.table.query(`USER#${uid}`, 'SESSION#')).toEqual([]);
  await set(false);
  expect((await signIn(at, 'disabled@example.com')).status).toBe(201);
});

const steps = {
  'the user is read': ({ operation, body }: Call) =>
    operation.endsWith('GetItem') && JSON.stringify(body).includes('"USER"'),
  'the session is written': isTransaction,
};

test.each(Object.entries(steps))("401 if the user's e-mail changes before %s", async (_, when) => {
  const at = await signInProject(world);
  const { uid } = await at.signUp('moving@example.com');
  const email = 'moved@example.com';
  faults.inject(
    async (exchange) => {
      await world.as(at.project).users.update({ uid, email });
      await changed((body) => body)(exchange);
    },
    { when },
  );
  expectProblem(await signIn(at, 'moving@example.com'), 'invalid_credentials');
  expect((await world.table.get(keys.user(uid)))?.['email']).toBe(email);
  expect(await world.table.query(`USER#${uid}`, 'SESSION#')).toHaveLength(1);
});

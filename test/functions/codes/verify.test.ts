import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { type Call, changed, isTransaction } from '../../faults/fault.ts';
import {
  anId,
  aTime,
  aUser,
  expectInvalid,
  expectProblem,
  expectSame,
} from '../../support/expectations.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import { goodPassword, type SignIn, type Started, signInProject } from '../../support/sign-in.ts';
import { aListedSession, aSession, atWindow, pass } from '../../support/started.ts';
import type { Person } from '../../support/world.ts';

// The proxy runs another request exactly between two steps of one.
const { faults, world } = await startFaultyWorld();
type Proof = { challenge_id: string; code: string };
const verify = ({ post }: SignIn, proof: Proof, more: object = {}) =>
  post<Started & { code: string }>('/sessions/code', { ...proof, ...more });
const getMe = (person: Person) => world.as(person).users.getMe();
/** Runs the work right before the service's next matching call to the table. */
const meanwhile = (when: (call: Call) => boolean, work: () => Promise<unknown>) =>
  faults.inject(
    async (exchange) => {
      await work();
      await changed((body) => body)(exchange);
    },
    { when },
  );
/** The same challenge with another code. */
const wrongly = ({ challenge_id, code }: Proof, by = 1): Proof => {
  const digits = String((Number(code) + by) % 1_000_000).padStart(6, '0');
  return { challenge_id, code: digits };
};

describe('a new user', () => {
  test('201 is created with a verified e-mail, a profile and the agreed terms', async () => {
    const at = await signInProject(world);
    const { project_id } = at;
    const profile = { display_name: 'Ada', about_me: 'First\nprogrammer' };
    const newcomer = { ...profile, agreed_terms: { tos: true } };
    const { status, headers, body } = await verify(at, await at.code('Ada@example.com'), newcomer);
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    const given = { ...profile, email: 'Ada@example.com', verified: { email: true } };
    const agreed_terms = { tos: aTime() };
    const { uid } = body;
    expect(body).toEqual(aSession(aUser({ ...given, uid, project_id, agreed_terms }), true));
    expect(uid).toEqual(anId());
    const { users, sessions } = world.as(`Bearer ${body.access_token}`);
    expect((await users.getMe()).body).toEqual(body.user);
    const session = aListedSession({ method: 'email_code', current: true });
    expect((await sessions.list()).body).toEqual({ total: 1, count: 1, result: [session] });
  });

  test('401 once sign-up is turned off, with the same response as for a wrong code', async () => {
    const at = await signInProject(world);
    const proof = await at.code('late@example.com');
    await world.operate({ action: 'update', project_id: at.project_id, sign_up: false });
    pass(61_000);
    const answer = await verify(at, proof);
    expectProblem(answer, 'invalid_credentials');
    expectSame(answer, await verify(at, wrongly(proof)));
  });
});

describe('a user', () => {
  test('201 with a verified e-mail keeps the profile, the password and the sessions', async () => {
    const at = await signInProject(world);
    const email = 'known@example.com';
    const first = await at.signUp(email, goodPassword, { display_name: 'Known' });
    pass(1_000);
    const newcomer = { display_name: 'Mallory', agreed_terms: { tos: true } };
    const { status, body } = await verify(at, await at.code(email), newcomer);
    expect(status).toBe(201);
    expect(body).toEqual(aSession(first.user));
    expect(body.user.last_sign_in_at).toBe(new Date().toISOString());
    expect((await getMe(first)).body).toEqual(body.user);
    await at.signIn(email);
  });

  test('201 with an unverified e-mail verifies it and keeps the profile', async () => {
    const at = await signInProject(world);
    const made = { email: 'made@example.com', project: at.project, display_name: 'Made' };
    const { user } = await world.user(made);
    const { body } = await verify(at, await at.code('made@example.com'));
    const expected = { ...user, modified_at: aTime(), verified: { email: true } };
    expect(body).toEqual(aSession(expected));
  });

  test('403 if disabled, but only with the right code', async () => {
    const at = await signInProject(world);
    const { uid } = await at.signUp('disabled@example.com');
    await world.as(at.project).users.update({ uid, disabled: true });
    const proof = await at.code('disabled@example.com');
    expectProblem(await verify(at, wrongly(proof)), 'invalid_credentials');
    expectProblem(await verify(at, proof), 'user_disabled');
    expect(await world.table.query(`USER#${uid}`, 'SESSION#')).toEqual([]);
  });

  const steps: Record<string, (call: Call) => boolean> = {
    'the user is read': ({ operation, body }) =>
      operation.endsWith('GetItem') && JSON.stringify(body).includes('"USER"'),
    'the session is written': isTransaction,
  };
  test.each(Object.entries(steps))(
    'is not signed in if their e-mail changes before %s; a new user is created',
    async (_, when) => {
      const at = await signInProject(world);
      const { uid } = await at.signUp('mailbox@example.com');
      const proof = await at.code('mailbox@example.com');
      meanwhile(when, () => world.as(at.project).users.update({ uid, email: 'moved@example.com' }));
      const { status, body } = await verify(at, proof);
      expect([status, body.user_created]).toEqual([201, true]);
      expect(body.uid).not.toBe(uid);
      expect(await world.table.query(`USER#${uid}`, 'SESSION#')).toHaveLength(1);
    },
  );
});

describe('a code', () => {
  test('works at the fifth try even if the user changes between the reads and the write', async () => {
    const at = await signInProject(world);
    const made = { email: 'changing@example.com', project: at.project };
    const { uid } = await world.user(made);
    const proof = await at.code(made.email);
    for (let i = 1; i < 5; i += 1) await verify(at, wrongly(proof, i));
    const change = { display_name: 'Changed' };
    meanwhile(isTransaction, () => world.as(at.project).users.update({ uid, ...change }));
    const { status, body } = await verify(at, proof);
    expect([status, body.user]).toMatchObject([201, { uid, ...change, verified: { email: true } }]);
  });

  test('stays valid after a second challenge, but only for its own challenge', async () => {
    const at = await signInProject(world);
    const email = 'twice@example.com';
    const [first, second] = [await at.code(email), await at.code(email)];
    if (first.code !== second.code) {
      const mixed = { challenge_id: first.challenge_id, code: second.code };
      expectProblem(await verify(at, mixed), 'invalid_credentials');
    }
    expect((await verify(at, first)).body).toMatchObject({ user_created: true });
    expect((await verify(at, second)).body).toMatchObject({ user_created: false });
  });
});

test('429 after a hundred failures from one address', async () => {
  const at = await signInProject(world);
  atWindow(600, 120);
  const proof = await at.code('busy@example.com');
  const window = Math.floor(Date.now() / 600_000);
  const counter = keys.rate('failuresFromOne', `${at.project_id} 127.0.0.1`, window);
  await world.table.put({ ...counter, count: 99 });
  expectProblem(await verify(at, wrongly(proof)), 'invalid_credentials');
  const refused = await verify(at, proof);
  expectProblem(refused, 'too_many_requests');
  expect(refused.headers.get('retry-after')).toBe('480');
  pass(480_000);
  expect((await verify(at, proof)).status).toBe(201);
});

test('400 for anything but six ASCII digits', async () => {
  const at = await signInProject(world);
  for (const code of ['12345', '1234567', '12345 ', '１２３４５６'])
    expectInvalid(await verify(at, { challenge_id: randomUUID(), code }), '/body/code');
});

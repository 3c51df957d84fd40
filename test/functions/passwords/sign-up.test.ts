import { expect, test } from 'vitest';
import { keys } from '../../../shared/db/keys.ts';
import { expectProblem, expectSame } from '../../support/expectations.ts';
import { type SignIn, signInProject } from '../../support/sign-in.ts';
import { atWindow, pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const signUp = ({ post }: SignIn, email: string) => post('/sign-up', { email });
const earlier = new Set((await world.table.all()).map(({ pk }) => pk));
/** The number of users, tokens and mails that this file has created. */
async function stored() {
  const items = (await world.table.all()).filter(({ pk }) => !earlier.has(pk));
  const count = (sk: string) => items.filter((item) => item['sk'] === sk).length;
  return { users: count('USER'), tokens: count('TOKEN'), mails: count('MAIL') };
}

test('202 writes a mail and its token, and creates no user', async () => {
  const at = await signInProject(world);
  const { status, headers, body } = await signUp(at, 'Ada@example.com');
  expect([status, body]).toEqual([202, { expires_in: 86_400 }]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(await stored()).toEqual({ users: 0, tokens: 1, mails: 1 });
});

test('202 with the same response and writes for any e-mail; only the mail shows whether a user has it', async () => {
  const at = await signInProject(world);
  await at.signUp('password@example.com');
  await at.signInByCode('code@example.com');
  await world.user({ email: 'made@example.com', project: at.project });
  const subjects = {
    'new@example.com': 'Confirm your e-mail address for Test',
    'password@example.com': 'You already have an account with Test',
    'code@example.com': 'You already have an account with Test',
    'made@example.com': 'You already have an account with Test',
  };
  const first = await signUp(at, 'first@example.com');
  for (const [email, subject] of Object.entries(subjects)) {
    const { users, tokens, mails } = await stored();
    const answer = await signUp(at, email);
    expectSame(answer, first);
    expect(JSON.stringify(answer.body)).toBe(JSON.stringify(first.body));
    expect(await stored()).toEqual({ users, tokens: tokens + 1, mails: mails + 1 });
    expect((await at.mailTo(email))?.subject).toBe(subject);
  }
});

test('429 after a hundred mails requested from one address, only in that project', async () => {
  const [at, other] = [await signInProject(world), await signInProject(world)];
  atWindow(600, 60);
  const window = Math.floor(Date.now() / 600_000);
  const counter = keys.rate('mailsFromOne', `${at.project_id} 127.0.0.1`, window);
  await world.table.put({ ...counter, count: 98 });
  const both = [signUp(at, 'alan@example.com'), signUp(at, 'grace@example.com')];
  for (const { status } of await Promise.all(both)) expect(status).toBe(202);
  const answer = await signUp(at, 'person30@example.com');
  expectProblem(answer, 'too_many_requests');
  expect(answer.headers.get('retry-after')).toBe('540');
  expect((await signUp(other, 'person30@example.com')).status).toBe(202);
  pass(540_000);
  expect((await signUp(at, 'person30@example.com')).status).toBe(202);
});

test('403 where sign-up is off; no mail is sent', async () => {
  const email = 'ada@example.com';
  const closed = await signInProject(world, { sign_up: false });
  await world.user({ email, project: closed.project });
  const answer = await signUp(closed, email);
  expectProblem(answer, 'sign_up_disabled');
  expectSame(answer, await signUp(closed, 'nobody@example.com'));
  await world.drainStream();
  expect(world.mails().filter(({ to }) => to === email)).toEqual([]);
});

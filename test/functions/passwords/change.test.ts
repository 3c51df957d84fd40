import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { counted } from '../../races/many.ts';
import { aTime, expectInvalid, expectProblem, unknownId } from '../../support/expectations.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { atWindow, pass } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const minute = 60;
const wrong = 'incorrect horse battery staple';
const new_password = 'another long pass phrase';
const change = (person: Person, current_password = goodPassword, to = new_password) =>
  world.as(person).passwords.change({ current_password, new_password: to });
const getMe = (person: Person) => world.as(person).users.getMe();

test('200 changes the password, ends the other sessions but not its own, and mails the user', async () => {
  const at = await signInProject(world);
  const email = 'ada@example.com';
  const first = await at.signUp(email, goodPassword, { display_name: 'Ada' });
  const [own, other] = [await at.signIn(email), await at.signInByCode(email)];
  const { body: before } = await getMe(own);
  pass(1_000);
  const { status, body } = await change(own);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, modified_at: new Date().toISOString() });
  expect((await getMe(own)).body).toEqual(body);
  for (const person of [first, other]) expectProblem(await getMe(person), 'unauthenticated');
  const signIn = (password: string) => at.post('/sessions/password', { email, password });
  expectProblem(await signIn(goodPassword), 'invalid_credentials');
  expect((await signIn(new_password)).status).toBe(201);
  expect(await at.mailTo(email)).toMatchObject({
    from: '"Test" <no-reply@example.com>',
    to: email,
    subject: 'Your password for Test was changed',
    text: expect.not.stringMatching(/#token=/),
  });
});

test('200 sends no mail to an unverified e-mail', async () => {
  const at = await signInProject(world);
  const email = 'stranger@example.com';
  const person = await at.signUp(email);
  await world.table.update(keys.user(person.uid), { verified: { email: false } });
  expect((await change(person)).status).toBe(200);
  expect((await at.mailTo(email))?.subject).not.toMatch(/was changed/);
});

test('200 normalizes the new password as for a sign-in', async () => {
  const at = await signInProject(world);
  const person = await at.signUp('full-width@example.com');
  const password = ' Ｃａｆｅ\u0301 ｎｏｉｒ， please ';
  expect((await change(person, goodPassword, password)).status).toBe(200);
  await at.signIn('full-width@example.com', ' Café noir, please ');
  expect((await change(person, password.normalize('NFKC'), goodPassword)).status).toBe(200);
});

test('401 for a wrong current password, which changes nothing and ends no session', async () => {
  const at = await signInProject(world);
  const person = await at.signUp('wrong@example.com');
  const other = await at.signIn('wrong@example.com');
  const before = await world.table.query(`USER#${person.uid}`);
  const answer = await change(person, wrong);
  expectProblem(answer, 'invalid_credentials');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="user"');
  expect(await world.table.query(`USER#${person.uid}`)).toEqual(before);
  expect((await getMe(other)).status).toBe(200);
  expect((await at.mailTo('wrong@example.com'))?.subject).not.toMatch(/was changed/);
});

test('429 after ten wrong passwords, here and at sign-in; a right one does not count', async () => {
  const at = await signInProject(world);
  const email = 'guessed@example.com';
  await at.signUp(email);
  atWindow(15 * minute, minute);
  const fresh = await at.signIn(email);
  expect((await change(fresh)).status).toBe(200);
  expect((await change(fresh, new_password, goodPassword)).status).toBe(200);
  const guesses = await Promise.all(Array.from({ length: 12 }, () => change(fresh, wrong)));
  expect(counted(guesses)).toEqual({ invalid_credentials: 10, too_many_requests: 2 });
  const refused = await change(fresh);
  expectProblem(refused, 'too_many_requests');
  expect(refused.headers.get('retry-after')).toBe(String(14 * minute));
  const signIn = await at.post('/sessions/password', { email, password: goodPassword });
  expectProblem(signIn, 'too_many_requests');
  expect((await getMe(fresh)).status).toBe(200);
  pass(14 * minute * 1_000);
  await at.signIn(email);
});

test('401 for a user without a password, who cannot set one with a session alone', async () => {
  const at = await signInProject(world);
  const person = await at.signInByCode('code-only@example.com');
  expectProblem(await change(person), 'invalid_credentials');
  const made = await world.as(at.project).users.get({ uid: unknownId });
  const nameless = await world.session(made.body.uid, at.project);
  expectProblem(await change(nameless), 'invalid_credentials');
  for (const { uid } of [person, nameless])
    expect(await world.table.get(keys.password(uid))).toBeUndefined();
});

test('400 for an invalid new password, which counts as no attempt', async () => {
  const at = await signInProject(world, { min_password_length: 10 });
  const email = 'remarkable.name@example.com';
  const person = await at.signUp(email);
  atWindow(15 * minute, minute);
  const fresh = await at.signIn(email);
  const bad = ['nine char', 'Password123', email, 'REMARKABLE.NAME', 'x'.repeat(257), ''];
  for (const password of [...bad, ...bad])
    expectInvalid(await change(fresh, wrong, password), '/body/new_password');
  expect((await change(fresh, goodPassword, 'ten chars!')).body).toEqual({
    ...person.user,
    last_sign_in_at: aTime(),
    modified_at: aTime(),
  });
});

import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { sha256 } from '#shared/model/ids.ts';
import { anId, aTime, aUser, expectInvalid, expectProblem } from '../../support/expectations.ts';
import { goodPassword, type SignIn, type Started, signInProject } from '../../support/sign-in.ts';
import { aListedSession, aSession, pass } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const second = 1_000;
const hour = 3_600 * second;
const another = 'another long pass phrase';
const set = ({ post }: SignIn, token: string, more: object = {}) =>
  post<Started & { code: string }>('/passwords', { token, password: goodPassword, ...more });
const getMe = ({ access_token }: Started | Person) =>
  world.as(`Bearer ${access_token}`).users.getMe();

/** Requests a mail now. Resolves with its token. */
async function tokenFor({ post, mailed }: SignIn, email: string, path = '/passwords/forgotten') {
  await post(path, { email });
  return mailed(email);
}

const profile = {
  display_name: 'Ada',
  preferred_username: 'ada',
  profile_url: 'https://example.com/ada',
  thumbnail_url: 'https://example.com/ada.png',
  name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
  about_me: 'First\nprogrammer',
  current_location: 'London',
  photos: [{ value: 'https://example.com/1.jpg', primary: true }],
  urls: [{ value: 'https://example.com', type: 'home' }],
};

describe('a new user', () => {
  test('201 is created with a verified e-mail, a profile and the agreed terms', async () => {
    const at = await signInProject(world);
    const { project_id } = at;
    const token = await tokenFor(at, 'Ada@example.com', '/sign-up');
    const agreed_terms = { tos: true, sign_up: true };
    const { status, headers, body } = await set(at, token, { ...profile, agreed_terms });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    const { uid } = body;
    const user = aUser({
      ...profile,
      uid,
      project_id,
      email: 'Ada@example.com',
      verified: { email: true },
      sign_in_methods: { idpw: { enabled: true } },
      agreed_terms: { tos: aTime(), sign_up: aTime() },
    });
    expect(body).toEqual(aSession(user, true));
    expect(uid).toEqual(anId());
    expect((await getMe(body)).body).toEqual(body.user);
    const sessions = { total: 1, count: 1, result: [aListedSession({ current: true })] };
    const listed = await world.as(`Bearer ${body.access_token}`).sessions.list();
    expect(listed.body).toEqual(sessions);
    await at.signIn('ada@example.com');
  });

  test('the table has only a hash of the password, and after its use nothing of the token', async () => {
    const at = await signInProject(world);
    const token = await tokenFor(at, 'stored@example.com', '/sign-up');
    const before = JSON.stringify(await world.table.all());
    expect(before).toContain(sha256(token));
    const { uid } = (await set(at, token)).body;
    const after = await world.table.all();
    for (const text of [before, JSON.stringify(after)])
      for (const secret of [token, goodPassword, sha256(goodPassword)])
        expect(text).not.toContain(secret);
    expect(JSON.stringify(after)).not.toContain(sha256(token));
    expect(after.filter((item) => 'hash' in item && item['uid'] === uid)).toEqual([
      {
        ...keys.password(uid),
        uid,
        hash: expect.stringMatching(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/),
        changed_at: aTime(),
      },
    ]);
  });

  test('403 once sign-up was turned off, even for a mailed token; an existing user can still sign in', async () => {
    const at = await signInProject(world);
    await at.signUp('user@example.com');
    pass(second);
    const [late, known, gone] = [
      await tokenFor(at, 'late@example.com', '/sign-up'),
      await tokenFor(at, 'user@example.com', '/sign-up'),
      await tokenFor(at, 'user@example.com'),
    ];
    await world.operate({ action: 'update', project_id: at.project_id, sign_up: false });
    pass(61 * second);
    expectProblem(await set(at, late), 'sign_up_disabled');
    const { status, body } = await set(at, known);
    expect([status, body.user_created]).toEqual([201, false]);
    await world.as(at.project).users.update({ uid: body.uid, email: 'elsewhere@example.com' });
    expectProblem(await set(at, gone), 'mail_token_invalid');
  });
});

describe('a user', () => {
  test('201 keeps everything but the password, ends every session and gets a mail', async () => {
    const at = await signInProject(world);
    const email = 'forgetful@example.com';
    const first = await at.signUp(email, goodPassword, profile);
    const others = [await at.signIn(email), await at.signInByCode(email)];
    const methods = { idpw: { enabled: true }, google: { enabled: true } };
    const linked = { social: 'google', sign_in_methods: methods };
    await world.table.update(keys.user(first.uid), linked);
    pass(second);
    const token = await tokenFor(at, email);
    const newcomer = { display_name: 'Mallory', agreed_terms: { tos: true } };
    const { status, body } = await set(at, token, { password: another, ...newcomer });
    expect(status).toBe(201);
    expect(body).toEqual(aSession({ ...first.user, ...linked, modified_at: aTime() }));
    for (const person of [first, ...others]) expectProblem(await getMe(person), 'unauthenticated');
    expect((await getMe(body)).body).toEqual(body.user);
    const signIn = (password: string) => at.post('/sessions/password', { email, password });
    expectProblem(await signIn(goodPassword), 'invalid_credentials');
    expect((await signIn(another)).status).toBe(201);
    expect((await at.mailTo(email))?.subject).toBe('Your password for Test was changed');
  });

  test('201 without a password gets one, and no mail about a change', async () => {
    const at = await signInProject(world);
    const email = 'by-code@example.com';
    const person = await at.signInByCode(email);
    const { body } = await set(at, await tokenFor(at, email));
    const sign_in_methods = { idpw: { enabled: true } };
    expect(body).toEqual(aSession({ ...person.user, sign_in_methods, modified_at: aTime() }));
    expectProblem(await getMe(person), 'unauthenticated');
    expect((await at.mailTo(email))?.subject).toBe('Set a new password for Test');
  });

  test('403 if disabled; the token works once they are enabled', async () => {
    const at = await signInProject(world);
    const { uid } = await at.signUp('disabled@example.com');
    pass(second);
    const token = await tokenFor(at, 'disabled@example.com');
    const put = (disabled: boolean) => world.as(at.project).users.update({ uid, disabled });
    await put(true);
    expectProblem(await set(at, token), 'user_disabled');
    await put(false);
    expect((await set(at, token)).status).toBe(201);
  });
});

describe('a token', () => {
  test('of a sign-up expires after an hour if the account is in use by then', async () => {
    const at = await signInProject(world);
    await at.signUp('known@example.com');
    pass(second);
    const [known, later] = ['known@example.com', 'later@example.com'];
    const [first, taken] = [
      await tokenFor(at, known, '/sign-up'),
      await tokenFor(at, later, '/sign-up'),
    ];
    // Requested before the account existed.
    await at.signInByCode(later);
    expect((await at.mailTo(known))?.text).toContain('The link works once, for 1 hour.');
    pass(hour - second);
    const fresh = await tokenFor(at, known, '/sign-up');
    pass(second);
    for (const token of [first, taken]) expectProblem(await set(at, token), 'mail_token_invalid');
    expect((await set(at, fresh)).status).toBe(201);
  });

  test('is invalid once a password was set or changed after it was mailed', async () => {
    const at = await signInProject(world);
    const email = 'again@example.com';
    const [older, newer] = [await tokenFor(at, email, '/sign-up'), await tokenFor(at, email)];
    const { body } = await set(at, newer);
    expectProblem(await set(at, older), 'mail_token_invalid');
    pass(second);
    const before = await tokenFor(at, email);
    pass(second);
    const change = { current_password: goodPassword, new_password: another };
    const { passwords } = world.as(`Bearer ${body.access_token}`);
    expect((await passwords.change(change)).status).toBe(200);
    expectProblem(await set(at, before), 'mail_token_invalid');
    pass(601 * second);
    expect((await set(at, await tokenFor(at, email))).status).toBe(201);
  });
});

test('400 for an invalid password, and the token stays valid', async () => {
  const at = await signInProject(world, { min_password_length: 8 });
  const email = 'remarkable.longer.name@example.com';
  const token = await tokenFor(at, email, '/sign-up');
  for (const password of ['x7-x7-x', 'Password123', email, 'x'.repeat(257)])
    expectInvalid(await set(at, token, { password }), '/body/password');
  expect((await set(at, token, { password: '😀'.repeat(8) })).status).toBe(201);
});

test('201 unlocks an account that was locked by wrong passwords', async () => {
  const at = await signInProject(world);
  await at.signUp('locked@example.com');
  const signIn = (password: string) =>
    at.post<Started & { code: string }>('/sessions/password', {
      email: 'locked@example.com',
      password,
    });
  for (let i = 0; i < 10; i += 1) await signIn('a wrong password');
  expectProblem(await signIn(goodPassword), 'too_many_requests');
  await set(at, await tokenFor(at, 'locked@example.com'), { password: another });
  expect((await signIn(another)).status).toBe(201);
});

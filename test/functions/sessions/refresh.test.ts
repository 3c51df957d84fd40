import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { makeRefreshToken } from '#shared/access/refresh-token.ts';
import { expectInvalid, expectProblem, expectSame } from '../../support/expectations.ts';
import { sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

type Tokens = { access_token: string; refresh_token: string };

const second = 1_000;
const day = 86_400 * second;

const world = await startWorld();
const refresh = (refresh_token: string, access_token: string) =>
  world.call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, {
    accessToken: access_token,
  });
const renew = (tokens: Tokens) => refresh(tokens.refresh_token, tokens.access_token);
const getMe = (tokens: Tokens) => world.call('GET', '/users/me', `Bearer ${tokens.access_token}`);

/** Moves the clock of the service, which runs in this process. */
function pass(milliseconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + milliseconds });
}

afterEach(() => {
  vi.useRealTimers();
});

/** The session is over: no token of it is good for anything. */
async function expectEnded(...all: Tokens[]): Promise<void> {
  for (const tokens of all) expectProblem(await getMe(tokens), 'unauthenticated');
}

test('200 gives the next pair of tokens; the access token before it stays good until it expires', async () => {
  const first = await world.user();
  const { status, headers, body } = await renew(first);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    access_token: expect.not.stringMatching(first.access_token),
    refresh_token: expect.not.stringMatching(first.refresh_token),
    uid: first.uid,
    user: first.user,
    user_created: false,
  });
  expect(sessionKey(body)).toEqual(sessionKey(first));
  expect((await getMe(first)).status).toBe(200);
  expect((await getMe(body)).body).toEqual(first.user);
  expect((await renew(body)).status).toBe(200);
});

test('200 with an access token that expired long ago', async () => {
  const first = await world.user();
  pass(29 * day);
  expectProblem(await getMe(first), 'token_expired');
  const { status, body } = await renew(first);
  expect(status).toBe(200);
  expect((await getMe(body)).status).toBe(200);
});

test('200 the token carries the e-mail as it is now', async () => {
  const first = await world.user({ email: 'before@example.com', verified: true });
  const change = { email: 'after@example.com' };
  await world.call('PUT', `/users/${first.uid}`, world.project.basic, change);
  const { body } = await renew(first);
  const claims = Buffer.from(body.access_token.split('.')[1], 'base64url').toString();
  expect(JSON.parse(claims)).toMatchObject({ email: 'after@example.com', email_verified: false });
  expect(body.user.email).toBe('after@example.com');
});

test('200 byte for byte the same successor for a minute: a lost answer logs nobody out', async () => {
  const first = await world.user();
  const { body } = await renew(first);
  pass(59 * second);
  const [again, otherTab] = await Promise.all([renew(first), renew(first)]);
  expect([again.status, otherTab.status]).toEqual([200, 200]);
  expect(again.body).toEqual(body);
  expect(otherTab.body).toEqual(body);
  expect((await renew(body)).status).toBe(200);
});

test('401 refresh_token_reused a minute later ends the session, at once and for good', async () => {
  const first = await world.user();
  const { body } = await renew(first);
  pass(61 * second);
  const answer = await renew(first);
  expectProblem(answer, 'refresh_token_reused');
  await expectEnded(first, body);
  expectSame(await renew(body), answer);
  expectSame(await renew(first), answer);
});

test('401 refresh_token_reused for a token whose successor was used, even within the minute', async () => {
  const first = await world.user();
  const next = (await renew(first)).body;
  const third = (await renew(next)).body;
  expectProblem(await renew(first), 'refresh_token_reused');
  await expectEnded(first, next, third);
  expectProblem(await renew(third), 'refresh_token_reused');
});

test('the end of a session is the end of no other of the same person', async () => {
  const first = await world.user();
  const other = await world.session(first.uid);
  const { body } = await renew(first);
  await renew(body);
  expectProblem(await renew(first), 'refresh_token_reused');
  expect((await getMe(other)).status).toBe(200);
  expect((await renew(other)).status).toBe(200);
});

test('401 for a forged token, which ends nothing', async () => {
  const first = await world.user();
  const [content = '', mac = ''] = first.refresh_token.slice(3).split('.');
  const later = Buffer.from(content, 'base64url').toString().replace(/ 0$/, ' 7');
  const forged = [
    `rt_${content}.${mac.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`,
    `rt_${Buffer.from(later).toString('base64url')}.${mac}`,
    `rt_${content}.`,
    `${first.refresh_token}A`,
    first.refresh_token.slice(3),
    first.access_token,
    'rt_',
  ];
  for (const token of forged)
    expectProblem(await refresh(token, first.access_token), 'unauthenticated');
  expect((await getMe(first)).status).toBe(200);
  expect((await renew(first)).status).toBe(200);
});

test("401 with another session's access token, or none of ours; neither ends nor moves the session", async () => {
  const first = await world.user();
  const elsewhere = await world.user({ project: await world.newProject() });
  const [head, claims] = first.access_token.split('.');
  const wrong = [
    (await world.session(first.uid)).access_token,
    (await world.user()).access_token,
    elsewhere.access_token,
    `${head}.${claims}.${'A'.repeat(342)}`,
    `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${claims}.`,
    first.refresh_token,
  ];
  const before = await world.table.get(sessionKey(first));
  for (const token of wrong)
    expectProblem(await refresh(first.refresh_token, token), 'unauthenticated');
  expect(await world.table.get(sessionKey(first))).toEqual(before);
  expect((await renew(first)).status).toBe(200);
});

test('401 token_expired after 30 idle days; each refresh begins them anew', async () => {
  const first = await world.user();
  pass(29 * day);
  const { body } = await renew(first);
  pass(29 * day);
  const { status, body: third } = await renew(body);
  expect(status).toBe(200);
  pass(30 * day + second);
  expectProblem(await renew(third), 'token_expired');
});

test('401 token_expired after 90 days, however busy the session was', async () => {
  const first = await world.user();
  const { expires_at } = (await world.table.get(sessionKey(first))) ?? {};
  let tokens: Tokens = first;
  for (let i = 0; i < 3; i += 1) {
    pass(29 * day);
    tokens = (await renew(tokens)).body;
  }
  expect((await world.table.get(sessionKey(first)))?.['expires_at']).toBe(expires_at);
  pass(3 * day + second);
  expectProblem(await renew(tokens), 'token_expired');
});

test('401 for every token of a session that has expired, is revoked or is gone', async () => {
  const now = Math.floor(Date.now() / second);
  const key = async (changes: Record<string, unknown>) => {
    const person = await world.user();
    await world.table.update(sessionKey(person), changes);
    return person;
  };
  const idle = await key({ idle_expires_at: now });
  const old = await key({ expires_at: now });
  const revoked = await key({ revoked_at: new Date().toISOString() });
  const gone = await world.user();
  await world.table.delete(sessionKey(gone));
  await expectEnded(idle, old, revoked, gone);
  expectProblem(await renew(idle), 'token_expired');
  expectProblem(await renew(old), 'token_expired');
  expectProblem(await renew(gone), 'unauthenticated');
});

test('400 names every wrong field', async () => {
  const { refresh_token, access_token } = await world.user();
  const send = (body: object) =>
    world.call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, body);
  expectInvalid(await send({}), '/body/accessToken');
  expectInvalid(
    await send({ accessToken: 'x'.repeat(4097), access_token }),
    '/body/accessToken',
    '/body/access_token',
  );
});

test('401 for a back end and for nobody', async () => {
  const { access_token } = await world.user();
  for (const auth of [world.project.basic, undefined]) {
    const body = { accessToken: access_token };
    expectProblem(
      await world.call('POST', '/sessions/token/refresh', auth, body),
      'unauthenticated',
    );
  }
});

describe('a client that does nothing but refresh', () => {
  const secrets = new SecretsManagerClient({
    endpoint: world.secrets.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  afterAll(() => secrets.destroy());

  /** A session as it is after so many refreshes, with the tokens of the last. */
  async function refreshed(counter: number): Promise<Person> {
    const person = await world.user();
    await world.table.update(sessionKey(person), { counter });
    const { SecretString } = await secrets.send(
      new GetSecretValueCommand({ SecretId: 'signing-keys' }),
    );
    const { refresh_secret } = JSON.parse(SecretString ?? '') as { refresh_secret: string };
    const refresh_token = makeRefreshToken(
      { uid: person.uid, session_id: sessionIdOf(person), counter },
      Buffer.from(refresh_secret, 'base64url'),
    );
    return { ...person, refresh_token };
  }

  test('200 sixty times at once, and 429 the next time', async () => {
    const { status, body } = await renew(await refreshed(59));
    expect(status).toBe(200);
    expectProblem(await renew(body), 'too_many_requests');
  });

  test('429 tells the time to wait, and neither moves nor ends the session', async () => {
    const person = await refreshed(62);
    const before = await world.table.get(sessionKey(person));
    const answer = await renew(person);
    expectProblem(answer, 'too_many_requests');
    expect(answer.headers.get('retry-after')).toBe('30');
    expectSame(await renew(person), answer);
    expect(await world.table.get(sessionKey(person))).toEqual(before);
    expect((await getMe(person)).status).toBe(200);
  });

  test('200 when that time is over, then 429 again for as long as one refresh is worth', async () => {
    const person = await refreshed(62);
    const wait = Number((await renew(person)).headers.get('retry-after'));
    pass(wait * second);
    const { status, body } = await renew(person);
    expect(status).toBe(200);
    const again = await renew(body);
    expectProblem(again, 'too_many_requests');
    expect(Number(again.headers.get('retry-after'))).toBeOneOf([9, 10]);
    pass(10 * second);
    expect((await renew(body)).status).toBe(200);
  });

  test('200 for a lost answer even then: the successor is made already', async () => {
    const person = await refreshed(60);
    pass(10 * second);
    const { body } = await renew(person);
    expectProblem(await renew(body), 'too_many_requests');
    const again = await renew(person);
    expect([again.status, again.body]).toEqual([200, body]);
  });

  test('200 however many there were in a life of 90 days', async () => {
    const person = await refreshed(59 + 89 * 8_640);
    const { created_at, ...session } = (await world.table.get(sessionKey(person))) ?? {};
    const start = new Date(Date.parse(String(created_at)) - 89 * day).toISOString();
    await world.table.put({ ...session, created_at: start });
    expect((await renew(person)).status).toBe(200);
  });
});

test('401 for a session that was ended or signed out, and for a disabled user', async () => {
  const ended = await world.user();
  const signedOut = await world.user();
  const disabled = await world.user();
  await world.call('DELETE', `/sessions/${sessionIdOf(ended)}`, ended.bearer);
  await world.call('DELETE', '/sessions/current', signedOut.bearer);
  const { basic } = world.project;
  await world.call('PUT', `/users/${disabled.uid}`, basic, { disabled: true });
  for (const person of [ended, signedOut, disabled])
    expectProblem(await renew(person), 'unauthenticated');
});

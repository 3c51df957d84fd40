import { expect, test } from 'vitest';
import { aTime, aUser, expectProblem } from '../../support/expectations.ts';
import { sessionKey, sessionIdOf as sidOf } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const { project_id } = project;
const { sessions, users } = world.as(project);
const newUser = async (email: string, more: object = {}) =>
  (await users.create({ email, ...more })).body;
const getMe = ({ access_token }: Pick<Person, 'access_token'>) =>
  world.as(`Bearer ${access_token}`).users.getMe();

test('201 starts a session with both tokens and the user, and records the sign-in', async () => {
  const { uid } = await newUser('ada@example.com', { email_verified: true });
  const { status, body } = await sessions.create({ uid });
  expect(status).toBe(201);
  const user = aUser({
    uid,
    project_id,
    email: 'ada@example.com',
    verified: { email: true },
    last_sign_in_at: aTime(),
  });
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refresh_token: expect.stringMatching(/^rt_[\w-]+\.[\w-]{43}$/),
    uid,
    user,
    user_created: false,
  });
  expect((await getMe(body)).body).toEqual(body.user);
});

test('the access token has the user, the project and the issuer, and expires after ten minutes', async () => {
  const { uid } = await newUser('claims@example.com', { email_verified: true });
  const { body } = await sessions.create({ uid });
  const [head, claims] = body.access_token.split('.').slice(0, 2).map(decode);
  const jwks = await world.as().discovery.jwks();
  const kids = jwks.body.keys.map(({ kid }: { kid: string }) => kid);
  expect(head).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.toBeOneOf(kids) });
  const iat = Math.floor(Date.parse(body.user.last_sign_in_at) / 1_000);
  expect(claims).toEqual({
    iss: world.url,
    sub: uid,
    aud: project_id,
    client_id: project_id,
    sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iat,
    exp: iat + 600,
    jti: expect.stringMatching(/^[\w-]{22}$/),
    // Only the backend knows the sign-in method.
    auth_time: iat,
    email: 'claims@example.com',
    email_verified: true,
  });
});

test('201 a second request starts another, independent session', async () => {
  const { uid } = await newUser('two@example.com');
  const [one, two] = [(await sessions.create({ uid })).body, (await sessions.create({ uid })).body];
  expect(sidOf(one)).not.toBe(sidOf(two));
  expect(one.refresh_token).not.toBe(two.refresh_token);
  await world.table.delete({ pk: `USER#${uid}`, sk: `SESSION#${sidOf(one)}` });
  expectProblem(await getMe(one), 'unauthenticated');
  expect((await getMe(two)).status).toBe(200);
});

test('201 the 51st session ends only the oldest', async () => {
  const { uid } = await newUser('many@example.com');
  const oldest = await world.session(uid);
  const others = await Promise.all(Array.from({ length: 48 }, () => world.session(uid)));
  const expired = await world.session(uid);
  // An expired session does not count.
  await world.table.update(sessionKey(expired), { idle_expires_at: 1 });
  const fiftieth = await world.session(uid);
  expect((await getMe(oldest)).status).toBe(200);
  const last = await world.session(uid);
  expect((await getMe(oldest)).status).toBe(401);
  for (const each of [...others, fiftieth, last]) expect((await getMe(each)).status).toBe(200);
});

test('403 user_disabled for a disabled user; no session starts', async () => {
  const { uid } = await newUser('disabled@example.com');
  await users.update({ uid, disabled: true });
  expectProblem(await sessions.create({ uid }), 'user_disabled');
  expect(await world.table.query(`USER#${uid}`, 'SESSION#')).toEqual([]);
});

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

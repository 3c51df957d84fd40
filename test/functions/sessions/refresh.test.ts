import { createSecretKey } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, test } from 'vitest';
import { makeRefreshToken } from '#shared/access/refresh-token.ts';
import { genuineTokenOf } from '../../attack/genuine.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectProblem, expectSame } from '../../support/expectations.ts';
import { oauthScene } from '../../support/oauth.ts';
import { pass, sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

type Tokens = { access_token: string; refresh_token: string };

const second = 1_000;
const day = 86_400 * second;

const world = await startWorld();
const getMe = ({ access_token }: Tokens) => world.as(`Bearer ${access_token}`).users.getMe();

/** Expects that the session has ended: none of its tokens is valid. */
async function expectEnded(...all: Tokens[]): Promise<void> {
  for (const tokens of all) expectProblem(await getMe(tokens), 'unauthenticated');
}

test('200 returns the next tokens; the previous access token stays valid until it expires', async () => {
  const first = await world.user();
  const { status, headers, body } = await world.renew(first);
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
  expect((await world.renew(body)).status).toBe(200);
});

test('200 with a long expired access token', async () => {
  const first = await world.user();
  pass(29 * day);
  expectProblem(await getMe(first), 'token_expired');
  const { status, body } = await world.renew(first);
  expect(status).toBe(200);
  expect((await getMe(body)).status).toBe(200);
});

test('200 keeps auth_time, even after a token without it', async () => {
  const first = await world.user();
  const { signed } = await genuineTokenOf(world, first);
  const { auth_time, ...before } = claimsOf(first.access_token);
  const { body } = await world.renew({ ...first, access_token: signed(before) });
  expect(claimsOf(body.access_token)).toMatchObject({ auth_time });
});

test('200 signs the access token with the current algorithm of the project', async () => {
  const project = await world.newProject({ token_algorithm: 'ES256' });
  const algorithmOf = ({ access_token }: Tokens) =>
    JSON.parse(Buffer.from(access_token.split('.')[0] ?? '', 'base64url').toString()).alg;
  const first = await world.user({ project });
  const renewed = (await world.renew(first)).body;
  expect([first, renewed].map(algorithmOf)).toEqual(['ES256', 'ES256']);
  expect((await getMe(renewed)).status).toBe(200);
  const { project_id } = project;
  await world.operate({ action: 'update', project_id, token_algorithm: 'RS256' });
  pass(61_000);
  const third = (await world.renew(renewed)).body;
  expect(algorithmOf(third)).toBe('RS256');
  for (const tokens of [renewed, third]) expect((await getMe(tokens)).status).toBe(200);
});

test('200 the token has the current e-mail', async () => {
  const first = await world.user({ email: 'before@example.com', verified: true });
  await world.as(world.project).users.update({ uid: first.uid, email: 'after@example.com' });
  const { body } = await world.renew(first);
  expect(claimsOf(body.access_token)).toMatchObject({
    email: 'after@example.com',
    email_verified: false,
  });
  expect(body.user.email).toBe('after@example.com');
});

test('200 a retry gets the same tokens for a minute, so that a lost response signs nobody out', async () => {
  const first = await world.user();
  const { body } = await world.renew(first);
  pass(59 * second);
  const [again, otherTab] = await Promise.all([world.renew(first), world.renew(first)]);
  expect([again.status, otherTab.status]).toEqual([200, 200]);
  expect(again.body).toEqual(body);
  expect(otherTab.body).toEqual(body);
  expect((await world.renew(body)).status).toBe(200);
});

test('401 refresh_token_reused for a used token after a minute, which ends the session immediately', async () => {
  const first = await world.user();
  const { body } = await world.renew(first);
  pass(61 * second);
  const answer = await world.renew(first);
  expectProblem(answer, 'refresh_token_reused');
  await expectEnded(first, body);
  expectSame(await world.renew(body), answer);
  expectSame(await world.renew(first), answer);
});

test('401 refresh_token_reused for a token whose successor was used, even within the minute; no other session ends', async () => {
  const first = await world.user();
  const other = await world.session(first.uid);
  const next = (await world.renew(first)).body;
  const third = (await world.renew(next)).body;
  expectProblem(await world.renew(first), 'refresh_token_reused');
  await expectEnded(first, next, third);
  expectProblem(await world.renew(third), 'refresh_token_reused');
  expect((await getMe(other)).status).toBe(200);
  expect((await world.renew(other)).status).toBe(200);
});

test('401 token_expired after 30 idle days, which each refresh restarts', async () => {
  const first = await world.user();
  pass(29 * day);
  const { body } = await world.renew(first);
  pass(29 * day);
  const { status, body: third } = await world.renew(body);
  expect(status).toBe(200);
  pass(30 * day + second);
  expectProblem(await world.renew(third), 'token_expired');
});

test('401 token_expired after 90 days, however often the session was refreshed', async () => {
  const first = await world.user();
  const { expires_at } = (await world.table.get(sessionKey(first))) ?? {};
  let tokens: Tokens = first;
  for (let i = 0; i < 3; i += 1) {
    pass(29 * day);
    tokens = (await world.renew(tokens)).body;
  }
  expect((await world.table.get(sessionKey(first)))?.['expires_at']).toBe(expires_at);
  pass(3 * day + second);
  expectProblem(await world.renew(tokens), 'token_expired');
});

describe('a client that refreshes in a loop', () => {
  const secrets = new SecretsManagerClient({
    endpoint: world.secrets.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  afterAll(() => secrets.destroy());

  /** A session after so many refreshes, with its current tokens. */
  async function refreshed(counter: number): Promise<Person> {
    const person = await world.user();
    await world.table.update(sessionKey(person), { counter });
    const { SecretString } = await secrets.send(
      new GetSecretValueCommand({ SecretId: 'signing-keys' }),
    );
    const { refresh_secret } = JSON.parse(SecretString ?? '') as { refresh_secret: string };
    const refresh_token = makeRefreshToken(
      { uid: person.uid, session_id: sessionIdOf(person), counter },
      createSecretKey(refresh_secret, 'base64url'),
    );
    return { ...person, refresh_token };
  }

  test('200 for the 60th refresh in a row, 429 for the next', async () => {
    const { status, body } = await world.renew(await refreshed(59));
    expect(status).toBe(200);
    expectProblem(await world.renew(body), 'too_many_requests');
  });

  test('429 with Retry-After neither changes nor ends the session; 200 after it, then 429 until the next refresh is allowed', async () => {
    const person = await refreshed(62);
    const before = await world.table.get(sessionKey(person));
    const refused = await world.renew(person);
    expectProblem(refused, 'too_many_requests');
    expect(refused.headers.get('retry-after')).toBe('30');
    expectSame(await world.renew(person), refused);
    expect(await world.table.get(sessionKey(person))).toEqual(before);
    expect((await getMe(person)).status).toBe(200);
    pass(30 * second);
    const { status, body } = await world.renew(person);
    expect(status).toBe(200);
    const again = await world.renew(body);
    expectProblem(again, 'too_many_requests');
    expect(Number(again.headers.get('retry-after'))).toBeOneOf([9, 10]);
    pass(10 * second);
    expect((await world.renew(body)).status).toBe(200);
  });

  test('200 for a retry after a lost response, even while limited', async () => {
    const person = await refreshed(60);
    pass(10 * second);
    const { body } = await world.renew(person);
    expectProblem(await world.renew(body), 'too_many_requests');
    const again = await world.renew(person);
    expect([again.status, again.body]).toEqual([200, body]);
  });

  test('200 even after 89 days of refreshes at the allowed rate', async () => {
    const person = await refreshed(59 + 89 * 8_640);
    const { created_at, ...session } = (await world.table.get(sessionKey(person))) ?? {};
    const start = new Date(Date.parse(String(created_at)) - 89 * day).toISOString();
    await world.table.put({ ...session, created_at: start });
    expect((await world.renew(person)).status).toBe(200);
  });
});

describe('the session of an OAuth client', () => {
  const minute = 61 * second;

  test('401 once the client is deleted, even if one with the same id is created', async () => {
    const scene = await oauthScene(world);
    const { web, native, server } = scene;
    const ada = await scene.visitor();
    const deleted = await scene.tokens(ada);
    const kept = await scene.tokens(ada, native);
    const { body } = await world.renew(deleted);
    await scene.set({ oauth_clients: [native, server] });
    pass(minute);
    const before = await world.table.get(sessionKey(body));
    expectProblem(await world.renew(body), 'unauthenticated');
    expect((await scene.refresh(web, body.refresh_token)).body.error).toBe('invalid_client');
    expect((await world.renew(kept)).status).toBe(200);
    expect((await world.renew(ada)).status).toBe(200);

    const again = { ...web, created_at: new Date().toISOString() };
    await scene.set({ oauth_clients: [native, server, again] });
    pass(minute);
    expectProblem(await world.renew(body), 'unauthenticated');
    expect((await scene.refresh(web, body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await world.table.get(sessionKey(body))).toEqual(before);
    expect((await world.renew(await scene.tokens(await scene.visitor()))).status).toBe(200);
  });

  test('200 for a new client that this instance has not read yet', async () => {
    const scene = await oauthScene(world);
    const ada = await scene.visitor();
    const { web, native, server } = scene;
    await scene.set({ oauth_clients: [native, server] });
    await world.renew(ada);
    const first = await world.session(ada.uid, scene.project);
    await world.table.update(sessionKey(first), { client_id: web.client_id });
    await scene.set({ oauth_clients: [native, server, web] });
    pass(2 * second);
    expect((await world.renew(first)).status).toBe(200);
  });

  test('401 while the project has no hosted pages', async () => {
    const scene = await oauthScene(world);
    const ada = await scene.visitor();
    const tokens = await scene.tokens(ada);
    await scene.set({ hosted_pages: false });
    pass(minute);
    expectProblem(await world.renew(tokens), 'unauthenticated');
    expect((await world.renew(ada)).status).toBe(200);
  });
});

import { describe, expect, test } from 'vitest';
import { lifetimes } from '#shared/model/limits.ts';
import { basic, createClient } from '../../../client/client.ts';
import { claimsOf } from '../../model/tokens.ts';
import { expectProblem } from '../../support/expectations.ts';
import { pass, sessionIdOf, sessionKey } from '../../support/started.ts';
import { type Person, startWorld } from '../../support/world.ts';

const world = await startWorld();
const { project } = world;
const introspect = (token: string, caller = project) =>
  world.as(caller).sessions.introspect({ token });

/** The response for every inactive token is the same. */
async function expectInactive(token: string) {
  const { status, body } = await introspect(token);
  expect([status, body]).toEqual([200, { active: false }]);
}

test('200 active for a token of a live session, with its claims', async () => {
  const person = await world.user();
  const { sub, sid, aud, iss, iat, exp, jti, auth_time } = claimsOf(person.access_token);
  const { status, headers, body } = await introspect(person.access_token);
  expect([status, body]).toEqual([
    200,
    {
      active: true,
      token_type: 'Bearer',
      client_id: project.project_id,
      ...{ sub, sid, aud, iss, iat, exp, jti, auth_time },
    },
  ]);
  expect([sub, sid, aud]).toEqual([person.uid, sessionIdOf(person), project.project_id]);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('200 the client types the response as active with claims, or as inactive', async () => {
  const { access_token, uid } = await world.user();
  const client = createClient(world.url, basic(project.project_id, project.secret));
  const { body } = await client.sessions.introspect({ token: access_token });
  expect(body.active && body.sub).toBe(uid);
});

describe('200 inactive as soon as access ends', () => {
  const ways: Record<string, (person: Person) => Promise<unknown>> = {
    'signed out': ({ bearer }) => world.as(bearer).sessions.signOut(),
    'all sessions ended': ({ uid }) => world.as(project).sessions.endAll({ user_id: uid }),
    disabled: ({ uid }) => world.as(project).users.update({ uid, disabled: true }),
    deleted: ({ uid }) => world.as(project).users.delete({ uid }),
    'revoked after reuse of a refresh token': async (person) => {
      const { refresh_token, access_token: accessToken } = person;
      const renew = (token: string) =>
        world.as(`Bearer ${token}`).sessions.refresh({ accessToken });
      const next = await renew(refresh_token);
      await renew(next.body.refresh_token);
      expectProblem(await renew(refresh_token), 'refresh_token_reused');
    },
    'ended as idle': ({ access_token }) =>
      world.table.update(sessionKey({ access_token }), { idle_expires_at: 1 }),
  };
  test.each(Object.entries(ways))('%s', async (_, end) => {
    const person = await world.user();
    expect((await introspect(person.access_token)).body.active).toBe(true);
    await end(person);
    await expectInactive(person.access_token);
    expectProblem(await world.as(person).users.getMe(), 'unauthenticated');
  });
});

test('200 inactive for an expired token of a live session', async () => {
  const { access_token } = await world.user();
  pass((lifetimes.accessToken + lifetimes.clockTolerance + 1) * 1_000);
  await expectInactive(access_token);
});

test('200 inactive for a token of another project, where it is active', async () => {
  const foreign = await world.newProject();
  const { access_token } = await world.user({ project: foreign });
  await expectInactive(access_token);
  expect((await introspect(access_token, foreign)).body.active).toBe(true);
});

test('200 inactive for anything but an access token of this service', async () => {
  const person = await world.user();
  const [head = '', content = '', signature = ''] = person.access_token.split('.');
  const other = Buffer.from(
    JSON.stringify({ ...claimsOf(person.access_token), exp: 9_999_999_999 }),
  );
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' }));
  for (const token of [
    '',
    'x',
    '..',
    `${person.access_token}.`,
    ` ${person.access_token}`,
    person.bearer,
    person.refresh_token,
    project.secret,
    `${head}.${content}.`,
    `${head}.${other.toString('base64url')}.${signature}`,
    `${unsigned.toString('base64url')}.${content}.`,
    '☃'.repeat(1_000),
    'x'.repeat(60_000),
  ])
    await expectInactive(token);
});

import { expect, test, vi } from 'vitest';
import { createBackend, TokenError } from '../../../client/server.ts';
import { genuineTokenOf } from '../../attack/genuine.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const person = await world.user({ email: 'ada@example.com', verified: true });
const { signed, target } = await genuineTokenOf(world, person);
const { project_id: projectId, secret } = world.project;
const backend = createBackend({ url: `${world.url}/`, projectId, secret });
const { iat, exp } = target.claims as { iat: number; exp: number };

/** The outcome for a token at a time in epoch seconds. */
async function at(time: number, token = person.access_token): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: time * 1_000 });
  return backend.verify(token).then(
    () => 'accepted',
    (error: unknown) => (error instanceof TokenError ? error.code : String(error)),
  );
}

test('returns the claims of a token, with or without a slash at the end of the URL', async () => {
  expect(await backend.verify(person.access_token)).toEqual({
    iss: world.url,
    aud: projectId,
    client_id: projectId,
    sub: person.uid,
    sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iat,
    exp: iat + 600,
    jti: expect.any(String),
    auth_time: iat,
    email: 'ada@example.com',
    email_verified: true,
  });
});

test('accepts a token from its time of issue until its expiry, with five seconds of leeway', async () => {
  expect([
    await at(iat - 5.1),
    await at(iat - 5),
    await at(exp),
    await at(exp + 4.9),
    await at(exp + 5),
    await at(exp + 1_000_000),
  ]).toEqual([
    'invalid_token',
    'accepted',
    'accepted',
    'accepted',
    'token_expired',
    'token_expired',
  ]);
});

test('refuses a token before its nbf', async () => {
  const later = signed({ ...target.claims, nbf: iat + 100 });
  expect([await at(iat + 94.9, later), await at(iat + 95, later)]).toEqual([
    'invalid_token',
    'accepted',
  ]);
});

test('reports token_expired only for a token with a valid signature', async () => {
  const [head, body, signature = ''] = person.access_token.split('.');
  const forged = `${head}.${body}.${signature.split('').toReversed().join('')}`;
  expect([await at(exp + 10, forged), await at(exp + 10)]).toEqual([
    'invalid_token',
    'token_expired',
  ]);
});

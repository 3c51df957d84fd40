import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { expect, test, vi } from 'vitest';
import { lifetimes } from '#shared/model/limits.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { discovery } = world.as();
/** The keys of the table: past the second for which an instance keeps them. */
async function getKeys() {
  vi.setSystemTime(Date.now() + lifetimes.publishedKeys * 1_000);
  return (await discovery.jwks()).body.keys;
}

test('200 the public keys, without a credential and with a cache lifetime', async () => {
  const { status, headers, body } = await discovery.jwks();
  expect(status).toBe(200);
  const key = {
    kty: 'RSA',
    use: 'sig',
    alg: 'RS256',
    kid: expect.stringMatching(/^[\w-]{43}$/),
    n: expect.stringMatching(/^[\w-]{342}$/),
    e: 'AQAB',
  };
  const es256 = {
    kty: 'EC',
    crv: 'P-256',
    use: 'sig',
    alg: 'ES256',
    kid: expect.stringMatching(/^[\w-]{43}-ES256$/),
    x: expect.stringMatching(/^[\w-]{43}$/),
    y: expect.stringMatching(/^[\w-]{43}$/),
  };
  // The signing key and the next one; RSA first, for clients that take the first of them.
  expect(body).toEqual({ keys: [key, key, es256, es256] });
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  expect(headers.get('content-type')).toBe('application/json');
});

test('200 omits expired keys that the table has not deleted yet', async () => {
  const before = await getKeys();
  const now = Math.floor(Date.now() / 1_000);
  const put = (kid: string, expires_at: number) =>
    world.table.put({ pk: 'KEYS', sk: `KEY#${kid}`, kid, n: 'n', e: 'AQAB', expires_at });
  await put('expired', now - 1);
  // Kept for a month for refreshes, and published for an hour and some minutes after its retirement.
  await put('former', now + 86_400);
  await put('retired', now + lifetimes.sessionIdle + lifetimes.accessToken + 86_400 - 60);
  const retired = expect.objectContaining({ kid: 'retired' });
  const after = await getKeys();
  expect(after).toEqual(expect.arrayContaining([...before, retired]));
  expect(after).toHaveLength(before.length + 1);
  await world.table.delete({ pk: 'KEYS', sk: 'KEY#expired' });
  for (const kid of ['former', 'retired'])
    await world.table.delete({ pk: 'KEYS', sk: `KEY#${kid}` });
});

test.each([
  ['RS256', 342],
  ['ES256', 86],
] as const)(
  'an independent library verifies an access token of %s with the published keys',
  async (alg, length) => {
    const project = await world.newProject({ token_algorithm: alg });
    const given = { project, email: 'ada@example.com', verified: true };
    const { uid, access_token } = await world.user(given);
    const { body: configuration } = await discovery.openidConfiguration();
    const keys = createRemoteJWKSet(new URL(configuration.jwks_uri));
    const options = {
      issuer: configuration.issuer,
      audience: project.project_id,
      algorithms: configuration.id_token_signing_alg_values_supported,
      typ: 'at+jwt',
      requiredClaims: 'iss sub aud sid iat exp jti email email_verified'.split(' '),
    };
    const { payload, protectedHeader } = await jwtVerify(access_token, keys, options);
    expect(protectedHeader.alg).toBe(alg);
    expect(payload).toMatchObject({ sub: uid, email: 'ada@example.com', email_verified: true });
    const [head, claims] = access_token.split('.');
    await expect(
      jwtVerify(`${head}.${claims}.${'A'.repeat(length)}`, keys, options),
    ).rejects.toBeInstanceOf(errors.JWSSignatureVerificationFailed);
  },
);

import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 where a verifier finds everything, to everybody and for caches', async () => {
  const path = '/.well-known/openid-configuration';
  const { status, headers, body } = await world.call('GET', path);
  expect(status).toBe(200);
  expect(body).toEqual({
    issuer: world.url,
    jwks_uri: `${world.url}/.well-known/jwks.json`,
    response_types_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claims_supported: ['iss', 'sub', 'aud', 'sid', 'iat', 'exp', 'jti', 'email', 'email_verified'],
  });
  expect(headers.get('cache-control')).toBe('public, max-age=300');
});

import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

/**
 * The modules of `oidcc-config-certification-test-plan`, and the module of
 * `oidcc-rp-initiated-logout-certification-test-plan` about the metadata. Every endpoint is https if the issuer is,
 * because all of them are below it.
 */
const world = await startWorld();
const {
  status,
  headers,
  body: metadata,
} = await world.call('GET', '/.well-known/openid-configuration');
const texts = expect.any(Array);

test('oidcc-discovery-endpoint-verification', async () => {
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(metadata).toMatchObject({
    issuer: world.url,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
    grant_types_supported: expect.arrayContaining(['authorization_code']),
    scopes_supported: expect.arrayContaining(['openid']),
    code_challenge_methods_supported: ['S256'],
    ...{ claims_supported: texts, token_endpoint_auth_methods_supported: texts },
    ...{ claims_parameter_supported: false, request_parameter_supported: false },
    request_uri_parameter_supported: false,
  });
  expect(metadata.claims_supported).toEqual([...new Set(metadata.claims_supported)]);
});

test('oidcc-discovery-endpoint-verification: each endpoint is below the issuer, and exists', async () => {
  const endpoints = Object.entries<string>(metadata).filter(([name]) =>
    /_endpoint$|_uri$/.test(name),
  );
  expect(endpoints.map(([name]) => name).sort()).toEqual([
    ...['authorization_endpoint', 'end_session_endpoint', 'jwks_uri', 'token_endpoint'],
    'userinfo_endpoint',
  ]);
  for (const [name, url] of endpoints) {
    expect(url.startsWith(`${metadata.issuer}/`)).toBe(true);
    const answer = await fetch(url, { method: name === 'token_endpoint' ? 'POST' : 'GET' });
    expect([name, answer.status]).not.toEqual([name, 404]);
  }
});

test('oidcc-discovery-endpoint-verification: the keys contain no private part, and have different ids', async () => {
  const { body } = await world.call('GET', new URL(metadata.jwks_uri).pathname);
  const keys = body.keys as Record<string, string>[];
  expect(keys.length).toBeGreaterThan(0);
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toMatchObject({ kid: expect.any(String), use: 'sig', alg: expect.any(String) });
    expect(createPublicKey({ key, format: 'jwk' }).type).toBe('public');
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])
      expect(key).not.toHaveProperty(secret);
  }
});

test('oidcc-rp-initiated-logout-discovery-endpoint-verification', () => {
  expect(metadata.end_session_endpoint).toBe(`${world.url}/logout`);
});

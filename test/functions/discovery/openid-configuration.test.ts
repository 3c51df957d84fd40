import { expect, test } from 'vitest';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('200 where verifiers and clients find everything, to everybody and for caches', async () => {
  const path = '/.well-known/openid-configuration';
  const { status, headers, body } = await world.call('GET', path);
  expect(status).toBe(200);
  expect(body).toEqual({
    issuer: world.url,
    jwks_uri: `${world.url}/.well-known/jwks.json`,
    authorization_endpoint: `${world.url}/authorize`,
    token_endpoint: `${world.url}/token`,
    userinfo_endpoint: `${world.url}/userinfo`,
    end_session_endpoint: `${world.url}/logout`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes_supported: ['openid', 'email', 'profile'],
    prompt_values_supported: ['none', 'login', 'create', 'select_account', 'consent'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claims_supported: expect.arrayContaining(['sub', 'aud', 'auth_time', 'nonce', 'sid', 'name']),
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
  });
  expect(headers.get('cache-control')).toBe('public, max-age=300');
});

import { discovery } from '#shared/contract/discovery.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { env } from '#shared/model/env.ts';

export const handler = endpoint(discovery.openidConfiguration, async () => {
  const issuer = env.baseUrl();
  return {
    issuer,
    jwks_uri: `${issuer}${discovery.jwks.path}`,
    response_types_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claims_supported: ['iss', 'sub', 'aud', 'sid', 'iat', 'exp', 'jti', 'email', 'email_verified'],
  };
});

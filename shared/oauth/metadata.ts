import type * as z from 'zod';
import type { providerMetadata, providerPaths } from '../contract/discovery.ts';
import { env } from '../model/env.ts';
import { prompts } from './authorization-request.ts';
import { claimNames, supportedScopes } from './scopes.ts';

/**
 * What this provider can do (OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2), at its paths below the
 * issuer. A feature that clients assume by default is denied by name.
 */
export function openidMetadata(paths: typeof providerPaths): z.input<typeof providerMetadata> {
  const issuer = env.baseUrl();
  return {
    issuer,
    jwks_uri: `${issuer}${paths.keys}`,
    authorization_endpoint: `${issuer}${paths.authorize}`,
    token_endpoint: `${issuer}${paths.token}`,
    userinfo_endpoint: `${issuer}${paths.userinfo}`,
    end_session_endpoint: `${issuer}${paths.logout}`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes_supported: [...supportedScopes],
    prompt_values_supported: [...prompts],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    acr_values_supported: ['aal1', 'aal2'],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'sid', 'iat', 'exp', 'auth_time', 'amr', 'acr'],
      ...['nonce', 'at_hash'],
      ...claimNames,
    ],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
  };
}

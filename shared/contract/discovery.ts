import * as z from 'zod';
import { oauth } from './oauth.ts';
import { group } from './route.ts';

const rsaKey = z
  .object({
    kty: z.literal('RSA'),
    use: z.literal('sig'),
    alg: z.literal('RS256'),
    kid: z.string(),
    n: z.string(),
    e: z.string(),
  })
  .meta({ id: 'RsaKey' });
/** Signs for projects that have chosen ES256. */
const ecKey = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    use: z.literal('sig'),
    alg: z.literal('ES256'),
    kid: z.string(),
    x: z.string(),
    y: z.string(),
  })
  .meta({ id: 'EcKey' });

const texts = z.array(z.string());

export const providerMetadata = z
  .object({
    issuer: z.string(),
    jwks_uri: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    userinfo_endpoint: z.string(),
    end_session_endpoint: z.string(),
    response_types_supported: texts,
    response_modes_supported: texts,
    grant_types_supported: texts,
    code_challenge_methods_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    scopes_supported: texts,
    prompt_values_supported: texts,
    acr_values_supported: texts,
    subject_types_supported: texts,
    id_token_signing_alg_values_supported: texts,
    claims_supported: texts,
    claims_parameter_supported: z.boolean(),
    request_parameter_supported: z.boolean(),
    request_uri_parameter_supported: z.boolean(),
    authorization_response_iss_parameter_supported: z.boolean(),
  })
  .meta({ id: 'ProviderMetadata' });

export const discovery = group('discovery', {
  jwks: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify access tokens (RFC 7517).',
    auth: [],
    response: z.object({
      keys: z.array(z.discriminatedUnion('kty', [rsaKey, ecKey])),
    }),
    cache: 'public, max-age=300',
  },
  openidConfiguration: {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    summary:
      'The metadata for verifiers to find the keys, and for clients to find the endpoints of the OpenID provider (OpenID Connect Discovery 1.0).',
    auth: [],
    response: providerMetadata,
    cache: 'public, max-age=300',
  },
  oauthAuthorizationServer: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'The same metadata for clients that support only OAuth 2.0 (RFC 8414).',
    client: false,
    auth: [],
    response: providerMetadata,
    cache: 'public, max-age=300',
  },
});

/** The paths that the metadata names. */
export const providerPaths = {
  keys: discovery.jwks.path,
  authorize: oauth.authorize.path,
  token: oauth.token.path,
  userinfo: oauth.userinfo.path,
  logout: oauth.logout.path,
} as const;

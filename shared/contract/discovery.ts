import * as z from 'zod';
import { group } from './route.ts';

const rsaKey = z.object({
  kty: z.literal('RSA'),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
  kid: z.string(),
  n: z.string(),
  e: z.string(),
});
/** Signs for projects that have chosen ES256. */
const ecKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  use: z.literal('sig'),
  alg: z.literal('ES256'),
  kid: z.string(),
  x: z.string(),
  y: z.string(),
});

export const discovery = group('discovery', {
  jwks: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify access tokens (RFC 7517).',
    auth: [],
    response: z.object({
      keys: z.array(z.discriminatedUnion('kty', [rsaKey, ecKey])),
    }),
    statuses: [200],
    errors: [],
    cache: 'public, max-age=300',
  },
  openidConfiguration: {
    method: 'GET',
    path: '/.well-known/openid-configuration',
    summary: 'The metadata by which a verifier finds the keys (OpenID Connect Discovery 1.0).',
    auth: [],
    response: z.object({
      issuer: z.string(),
      jwks_uri: z.string(),
      response_types_supported: z.array(z.string()),
      subject_types_supported: z.array(z.string()),
      id_token_signing_alg_values_supported: z.array(z.string()),
      claims_supported: z.array(z.string()),
    }),
    statuses: [200],
    errors: [],
    cache: 'public, max-age=300',
  },
});

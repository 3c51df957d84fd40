import type { SignInProvider } from '../access/projects.ts';
import { currentRequest } from '../db/request-context.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import { providerLifetimes } from '../model/provider-limits.ts';
import {
  baseOf,
  isTenantId,
  manyTenants,
  type PresetName,
  personalTenant,
} from '../model/provider-presets.ts';
import { lastingDocument } from '../outbound/lasting-document.ts';
import { isLocalService, targetProblem } from '../outbound/target.ts';

/** What the service uses of a provider's metadata (RFC 8414, OpenID Connect Discovery 1.0). */
export type ProviderMetadata = {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  /** Of OpenID providers. */
  jwks_uri?: string;
  userinfo_endpoint?: string;
  scopes_supported?: string[];
  token_endpoint_auth_methods_supported?: string[];
  authorization_response_iss_parameter_supported?: boolean;
};

type Cached = {
  at: number;
  document: ReturnType<typeof lastingDocument>;
  metadata: Promise<ProviderMetadata>;
};
/** Limited: the operator of each project configures some. */
const cache = new BoundedMap<Cached>(100);

/**
 * The metadata of a provider: what its preset has, or the document that its issuer publishes, at most an hour old.
 * Rejects if there is none, or none of this issuer.
 */
export async function providerMetadataOf(provider: SignInProvider): Promise<ProviderMetadata> {
  const issuer = baseOf(provider);
  const endpoints = documented[provider.preset];
  return endpoints ? { issuer, ...endpoints(issuer) } : discovered(provider);
}

type Endpoints = Pick<ProviderMetadata, 'authorization_endpoint' | 'token_endpoint'> & {
  issuer?: string;
};
/** The endpoints of those that publish none. */
const documented: Partial<Record<PresetName, (base: string) => Endpoints>> = {
  github: (base) => ({
    // As GitHub says in `iss` of its answers (RFC 9207).
    issuer: `${base}/login/oauth`,
    authorization_endpoint: `${base}/login/oauth/authorize`,
    token_endpoint: `${base}/login/oauth/access_token`,
  }),
  discord: (base) => ({
    authorization_endpoint: `${base}/oauth2/authorize`,
    token_endpoint: `${base}/api/oauth2/token`,
  }),
  facebook: (base) => ({
    authorization_endpoint: `${base}/v24.0/dialog/oauth`,
    token_endpoint: `${graphOf(base)}/oauth/access_token`,
  }),
};

/** The address of Facebook's API, which describes people. */
export const graphOf = (base: string): string =>
  `${base === 'https://www.facebook.com' ? 'https://graph.facebook.com' : base}/v24.0`;

function discovered(provider: SignInProvider): Promise<ProviderMetadata> {
  const base = baseOf(provider).replace(/\/$/, '');
  const tenant = provider.preset === 'microsoft' ? `/${provider.tenant ?? 'common'}/v2.0` : '';
  const url = `${base}${tenant}/.well-known/openid-configuration`;
  // One document may be asked for by several spellings of its issuer, of which one is right.
  const key = `${provider.preset} ${baseOf(provider)} ${url}`;
  const cached = cache.get(key);
  const now = currentRequest().now.getTime();
  const fresh = cached && now - cached.at < providerLifetimes.metadata * 1_000;
  if (fresh) return cached.metadata;
  const document = cached?.document ?? lastingDocument((found) => checked(found, provider));
  const metadata = document
    .read(url, { headers: { accept: 'application/json' } })
    .then((text) => checked(JSON.parse(text), provider));
  const reading = { at: now, document, metadata };
  cache.set(key, reading);
  // The document itself remembers a failure; what is served instead of it is not good for an hour.
  const forget = () => void (cache.get(key) === reading && (reading.at = 0));
  metadata.then(() => document.answers() || forget(), forget);
  return metadata;
}

/**
 * The issuer in a document must be the one that was asked (OpenID Connect Discovery 1.0, section 4.3): otherwise a
 * provider could speak for another (mix-up). A browser is sent only where the service itself would go.
 */
function checked(document: Record<string, unknown>, provider: SignInProvider): ProviderMetadata {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = document;
  if (typeof issuer !== 'string' || !isOf(provider, issuer))
    throw new Error('The metadata are of another issuer');
  const local = isLocalService();
  for (const each of [authorization_endpoint, token_endpoint, jwks_uri])
    if (typeof each !== 'string' || targetProblem(each, local) !== undefined)
      throw new Error('The metadata lack an endpoint, or have one that is no public https URL');
  return document as ProviderMetadata;
}

function isOf(provider: SignInProvider, issuer: string): boolean {
  const base = baseOf(provider);
  if (provider.preset !== 'microsoft') return issuer === base;
  const { tenant = 'common' } = provider;
  if (manyTenants.includes(tenant)) return issuer === `${base}/{tenantid}/v2.0`;
  return issuer === `${base}/${tenant === 'consumers' ? personalTenant : tenant}/v2.0`;
}

/**
 * The issuer that an ID token of a provider must have. With many tenants of Microsoft it is that of the token's own
 * `tid`, which must be one that the setting admits.
 */
export function issuerOfToken(
  { issuer }: ProviderMetadata,
  { preset, tenant = 'common' }: SignInProvider,
  claims: Record<string, unknown>,
): string {
  if (preset !== 'microsoft' || !manyTenants.includes(tenant)) return issuer;
  const { tid } = claims;
  const isAdmitted = isTenantId(tid) && (tenant === 'common' || tid !== personalTenant);
  // Without one the template stays, which no token has.
  return isAdmitted ? issuer.replace('{tenantid}', tid) : issuer;
}

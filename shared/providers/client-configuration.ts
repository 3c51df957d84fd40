import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
} from 'openid-client';
import type { SignInProvider } from '../access/projects.ts';
import { isLocalService } from '../outbound/target.ts';
import type { ProviderMetadata } from './metadata.ts';

/** The service as a client of a provider, which it authenticates to by its secret. */
export function configurationOf(
  provider: SignInProvider,
  metadata: ProviderMetadata,
  secret: string,
): Configuration {
  const method = provider.token_endpoint_auth_method ?? usualMethod(provider, metadata);
  const authentication = method === 'client_secret_basic' ? ClientSecretBasic : ClientSecretPost;
  const config = new Configuration(metadata, provider.client_id, {}, authentication(secret));
  // For a provider on a developer's machine.
  if (isLocalService()) allowInsecureRequests(config);
  return config;
}

/** Where the metadata do not say, OpenID Connect Discovery 1.0 has Basic; presets without metadata take a form. */
function usualMethod(
  { preset }: SignInProvider,
  { token_endpoint_auth_methods_supported: supported }: ProviderMetadata,
) {
  if (preset !== 'oidc' || supported?.includes('client_secret_post')) return 'client_secret_post';
  return 'client_secret_basic';
}

import { baseOf, type NamedProvider } from './provider-presets.ts';

/**
 * The name in Secrets Manager of the secret that a project has at an identity provider. Neither a project id nor the
 * name of a provider has a slash, so no two have the same.
 */
export const providerSecretName = (prefix: string, project_id: string, provider: string): string =>
  `${prefix}/${project_id}/${provider}`;

/** The beginning of these names in a stack. */
export const providerSecretsPrefix = (stack: string): string => `${stack}/sign-in-providers`;

type ClientRegistration = NamedProvider & { client_id: string };

/**
 * The text of a secret: the secret, and of which client at which issuer it is. Who may change the settings of a project
 * alone could otherwise have it sent to an issuer of their own.
 */
export const providerSecretText = (of: ClientRegistration, secret: string): string =>
  JSON.stringify({ issuer: baseOf(of), client_id: of.client_id, secret });

/** The secret in such a text; undefined if it is of another client or issuer, or the text is none. */
export function providerSecretOf(of: ClientRegistration, text: string): string | undefined {
  try {
    const { issuer, client_id, secret } = Object(JSON.parse(text)) as Record<string, unknown>;
    const isOfThis = issuer === baseOf(of) && client_id === of.client_id;
    return isOfThis && typeof secret === 'string' ? secret : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The name in Secrets Manager of the secret that a project has at an identity provider. Neither a project id nor the
 * name of a provider has a slash, so no two have the same.
 */
export const providerSecretName = (prefix: string, project_id: string, provider: string): string =>
  `${prefix}/${project_id}/${provider}`;

/** The beginning of these names in a stack. */
export const providerSecretsPrefix = (stack: string): string => `${stack}/sign-in-providers`;

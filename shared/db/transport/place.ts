import type { Credentials, Service } from './sign.ts';

/** Where a service is, and as whom it is called. */
export type Place = {
  url: URL;
  region: string;
  credentials: () => Credentials | Promise<Credentials>;
};

const endpoints = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
} as const;

/** Settings with which the SDK finds another place than the variables below name. */
const leftToTheSdk = [
  'AWS_PROFILE',
  'AWS_ENDPOINT_URL',
  'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
  'AWS_USE_DUALSTACK_ENDPOINT',
  'AWS_USE_FIPS_ENDPOINT',
];

/** The regions of AWS's largest partition, as the SDK tells them. Others have another domain. */
const ordinaryRegion = /^(?:us|eu|ap|sa|ca|me|af|il|mx)-\w+-\d+$/;

/**
 * Reads the place from the environment that Lambda or the local service sets, without files or requests. Undefined
 * where only the SDK can tell. Lambda replaces credentials in the environment, so they are read for each call.
 */
export function placeIn(env: NodeJS.ProcessEnv, service: Service = 'dynamodb'): Place | undefined {
  const { AWS_REGION: region, [endpoints[service]]: endpoint } = env;
  if (!region || !credentialsIn(env) || leftToTheSdk.some((name) => env[name])) return undefined;
  // Elsewhere than on Lambda a file may name the endpoint.
  const isUsual = env['AWS_LAMBDA_FUNCTION_NAME'] && ordinaryRegion.test(region);
  const url = endpoint || (isUsual && `https://${service}.${region}.amazonaws.com`);
  if (!url) return undefined;
  return { url: new URL(url), region, credentials: () => credentialsIn(env) as Credentials };
}

function credentialsIn(env: NodeJS.ProcessEnv): Credentials | undefined {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** @module-tag alone */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Place, placeIn } from '#shared/db/transport/place.ts';
import { createSdkClient, placeOf } from '#shared/db/transport/sdk-client.ts';

const credentials = { accessKeyId: 'A', secretAccessKey: 's', sessionToken: 't' };
const lambda = {
  ...{ AWS_LAMBDA_FUNCTION_NAME: 'users-get-me', AWS_REGION: 'eu-central-1' },
  ...{ AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' },
};
const shown = async ({ url, region, credentials: given }: Place) => {
  // Without the SDK's record of their source.
  const { accessKeyId, secretAccessKey, sessionToken } = await given();
  return { url: url.href, region, accessKeyId, secretAccessKey, sessionToken };
};

// Each partition with its own domain, and each form that the name of a region has.
const ordinary = [
  ...['us-east-1', 'eu-central-2', 'ap-southeast-7', 'sa-east-1', 'ca-west-1', 'us-east-10'],
  ...['me-south-1', 'af-south-1', 'il-central-1', 'mx-central-1'],
].map((region) => [region, true] as const);
const others = [
  ...['cn-north-1', 'us-gov-west-1', 'eusc-de-east-1', 'us-iso-east-1', 'us-isob-east-1'],
  ...['eu-isoe-west-1', 'us-isof-south-1', 'plus-east-1', 'us-east-1-b'],
].map((region) => [region, false] as const);

// Earlier test files in this worker may have set it, and the SDK reads it.
beforeAll(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe('on Lambda', () => {
  test.each([...ordinary, ...others])(
    '%s has the endpoint of the SDK, or is left to the SDK',
    async (region, isOrdinary) => {
      const place = placeIn({ ...lambda, AWS_REGION: region });
      const theirs = await placeOf(createSdkClient({ region, credentials }));
      expect(theirs.region).toBe(region);
      expect(place && (await shown(place))).toEqual(isOrdinary ? await shown(theirs) : undefined);
    },
  );

  test('credentials are read at each call', () => {
    const env: NodeJS.ProcessEnv = { ...lambda };
    const place = placeIn(env);
    env['AWS_ACCESS_KEY_ID'] = 'B';
    delete env['AWS_SESSION_TOKEN'];
    expect(place?.credentials()).toEqual({ accessKeyId: 'B', secretAccessKey: 's' });
  });
});

test('an endpoint from the environment is used in any region, and outside Lambda', async () => {
  const { AWS_LAMBDA_FUNCTION_NAME: _, ...env } = lambda;
  const endpoint = 'http://127.0.0.1:8000';
  const place = placeIn({ ...env, AWS_REGION: 'local', AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  expect(place?.url.href).toBe(`${endpoint}/`);
  const theirs = await placeOf(createSdkClient({ region: 'local', credentials, endpoint }));
  expect(theirs.url.href).toBe(place?.url.href);
});

test.each([
  ['AWS_REGION', undefined],
  ['AWS_ACCESS_KEY_ID', undefined],
  ['AWS_SECRET_ACCESS_KEY', undefined],
  ['AWS_LAMBDA_FUNCTION_NAME', undefined],
  ['AWS_PROFILE', 'acme'],
  ['AWS_ENDPOINT_URL', 'http://127.0.0.1:8000'],
  ['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', 'true'],
  ['AWS_USE_DUALSTACK_ENDPOINT', 'true'],
  ['AWS_USE_FIPS_ENDPOINT', 'true'],
])('with %s=%s the place is left to the SDK', (name, value) => {
  expect(placeIn({ ...lambda, [name]: value })).toBeUndefined();
});

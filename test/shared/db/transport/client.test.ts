import type { IncomingHttpHeaders } from 'node:http';
import {
  type DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLeanClient } from '#shared/db/transport/client.ts';
import { createSdkClient } from '#shared/db/transport/sdk-client.ts';
import { serve as serveHttp } from '../../../support/serve.ts';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'A');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 's');
});
afterEach(() => vi.unstubAllEnvs());

async function serve() {
  const seen: IncomingHttpHeaders[] = [];
  const endpoint = await serveHttp(({ headers }, response) => {
    seen.push(headers);
    response.end('{}');
  }, onTestFinished);
  return { seen, endpoint };
}
const get = (client: DynamoDBClient) =>
  client.send(new GetItemCommand({ TableName: 'T', Key: { pk: { S: 'a' } } }));

test.each(['users-get-me', undefined])(
  'a call sends the X-Ray trace ID where the SDK does: on Lambda (%s)',
  async (name) => {
    const { seen, endpoint } = await serve();
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', name);
    const [ours, theirs] = [createLeanClient(), createSdkClient()];
    for (const id of ['Root=1-a', 'Root=1-b']) {
      vi.stubEnv('_X_AMZN_TRACE_ID', id);
      await get(ours);
      await get(theirs);
    }
    const named = seen.map((headers) => headers['x-amzn-trace-id']);
    expect(named).toEqual(
      name ? ['Root=1-a', 'Root=1-a', 'Root=1-b', 'Root=1-b'] : Array(4).fill(undefined),
    );
  },
);

const scope = (headers: IncomingHttpHeaders | undefined) =>
  /Credential=(\w+)\/\d{8}\/([\w-]+)\//.exec(headers?.authorization ?? '')?.slice(1);

const options = { region: 'local', credentials: { accessKeyId: 'B', secretAccessKey: 's' } };
test.each([
  ['the environment', undefined, ['A', 'eu-central-1']],
  ['options', options, ['B', 'local']],
] satisfies [string, DynamoDBClientConfig | undefined, string[]][])(
  'region, credentials and endpoint of %s are used, after a failure too',
  async (_, config, expected) => {
    const { seen, endpoint } = await serve();
    const client = createLeanClient(
      config && {
        ...config,
        region: async () => {
          if (seen.length === 0 && failures++ === 0) throw new Error('no region yet');
          return config.region;
        },
        endpoint,
      },
    );
    let failures = 0;
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
    if (config) await expect(get(client)).rejects.toThrow('no region yet');
    await get(client);
    expect(scope(seen[0])).toEqual(expected);
  },
);

import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/transport';
import { createClock } from './clock.ts';
import { post } from './http.ts';
import { readAndWriteJson } from './json.ts';
import { createSigner } from './sign.ts';

/**
 * The parts of the SDK's stack that `handle` replaces, or that do what nobody reads: the logger visits every item, and
 * composing the user agent takes 30 us a call.
 */
const replaced = [
  'loggerMiddleware',
  'contentLengthMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'retryMiddleware',
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
];

/**
 * Creates a DynamoDB client that takes half of the SDK's processor time: it serialises, signs and sends by itself, by
 * the SDK's own options. It never retries, except once when AWS refuses a request because the clock is wrong.
 */
export function createLeanClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const clock = createClock();
  let sign: ReturnType<typeof createSigner> | undefined;
  const requestHandler: DynamoDBClientConfig['requestHandler'] = {
    metadata: { handlerProtocol: 'http/1.1' },
    httpHandlerConfigs: () => ({}),
    updateHttpClientConfig: () => {},
    handle: async (request: HttpRequest, options?: { abortSignal?: unknown }) => {
      const send = async () => {
        sign ??= createSigner(await client.config.region());
        const credentials = await client.config.credentials();
        const { hostname, port, headers } = request;
        const body = plain(request.body as string | Uint8Array);
        const host = port === undefined ? hostname : `${hostname}:${port}`;
        const target = headers['x-amz-target'] ?? '';
        const signed = sign({ host, target, body }, credentials, clock.now());
        const { protocol, path } = request;
        return post(
          { protocol, hostname, port, path, headers: { ...headers, ...signed }, body },
          options?.abortSignal as AbortSignal | undefined,
        );
      };
      let answer = await send();
      if (clock.corrects(answer)) answer = await send();
      return { response: new HttpResponse(answer as never) };
    },
  };
  const client = new DynamoDBClient({ ...config, requestHandler });
  readAndWriteJson(client);
  for (const name of replaced) client.middlewareStack.remove(name);
  return client;
}

/** A body without the methods that the SDK adds to its bytes, which warn when they are called. */
const plain = (body: string | Uint8Array) =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

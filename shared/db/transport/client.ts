import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { Client } from '@smithy/core/client';
import { type HttpRequest, HttpResponse } from '@smithy/core/transport';
import { env } from '../../model/env.ts';
import { createClock } from './clock.ts';
import { readAndWriteJson } from './json.ts';
import { orderedOnce } from './middleware-order.ts';
import { placeIn } from './place.ts';
import { createSigner } from './sign.ts';
import { signedPost } from './signed-post.ts';

/**
 * Creates a DynamoDB client that takes half of the SDK's processor time: it serialises, signs and sends by itself, on
 * the SDK's own client without its middlewares. It never retries, except once when AWS refuses a request because the
 * clock is wrong.
 *
 * The rest of the SDK is loaded only where it is needed: for a place that the environment does not name, and for errors
 * other than failed conditions. A cold start needs neither.
 */
export function createLeanClient(config?: DynamoDBClientConfig): DynamoDBClient {
  const clock = createClock();
  const sdk = once(async () => {
    const { createSdkClient, deserializerOf, placeOf } = await import('./sdk-client.ts');
    const client = createSdkClient(config);
    return { deserializer: deserializerOf(client), place: () => placeOf(client) };
  });
  const placed = once(async () => {
    const place = (config ? undefined : placeIn(env.ofRuntime())) ?? (await (await sdk()).place());
    return { ...place, sign: createSigner(place.region) };
  });
  const send = async ({ headers, body }: HttpRequest, signal?: AbortSignal) => {
    const { sign, ...place } = await placed();
    const { 'x-amz-target': target = '', 'content-type': contentType = '' } = headers;
    return signedPost(place, sign, clock, { target, contentType, body: body as string }, signal);
  };
  const requestHandler = {
    handle: async (request: HttpRequest, options?: { abortSignal?: unknown }) => {
      const signal = options?.abortSignal as AbortSignal | undefined;
      const signed = clock.now();
      let answer = await send(request, signal);
      if (clock.corrects(answer, signed)) answer = await send(request, signal);
      return { response: new HttpResponse(answer) };
    },
  };
  const client = new Client({ requestHandler } as never) as unknown as DynamoDBClient;
  readAndWriteJson(client, async () => (await sdk()).deserializer);
  client.middlewareStack = orderedOnce(client.middlewareStack);
  return client;
}

/** Does something once, at its first use; again if it failed. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

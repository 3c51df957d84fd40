import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, type GetCommandOutput } from '@aws-sdk/lib-dynamodb';
import { Client } from '@smithy/core/client';
import { type HttpRequest, HttpResponse } from '@smithy/core/transport';
import { readAndWriteJson } from '#shared/db/transport/json.ts';
import { orderedOnce } from '#shared/db/transport/middleware-order.ts';
import { deserializerOf } from '#shared/db/transport/sdk-client.ts';

/** DynamoDB sends no spaces; its emulators may. */
type Exchange = { command: object; answer: object; spaces?: number };

/** A document client on the SDK's own client. */
export const sdkDocuments = () => documentsOf((requestHandler) => sdkClient(requestHandler));

/** A document client on ours. */
export const leanDocuments = () =>
  documentsOf((requestHandler) => {
    const client = new Client({ requestHandler } as never) as unknown as DynamoDBClient;
    const sdk = deserializerOf(sdkClient(requestHandler));
    readAndWriteJson(client, async () => sdk);
    client.middlewareStack = orderedOnce(client.middlewareStack);
    return client;
  });

const sdkClient = (requestHandler: object) =>
  new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'A', secretAccessKey: 's' },
    requestHandler: requestHandler as never,
  });

/** Sends no request: records it and responds with the answer of the test. */
function documentsOf(create: (requestHandler: object) => DynamoDBClient) {
  let sent: Record<'method' | 'path' | 'target' | 'type' | 'body', unknown> | undefined;
  let [statusCode, text] = [200, '{}'];
  const client = create({
    handle: async ({ method, path, headers, body }: HttpRequest) => {
      const { 'x-amz-target': target, 'content-type': type } = headers;
      sent = { method, path, target, type, body: JSON.parse(textOf(body)) as unknown };
      return {
        response: new HttpResponse({ statusCode, headers: {}, body: Buffer.from(text) }),
      };
    },
  });
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    client: documents,
    /** Reads an item from this response. */
    async read(body: string, status = 200): Promise<GetCommandOutput> {
      [statusCode, text] = [status, body];
      return documents.send(new GetCommand({ TableName: 'T', Key: { pk: 'a' } }));
    },
    /** The request sent for a command, and the result parsed from this answer. */
    async exchange({ command, answer, spaces = 0 }: Exchange) {
      [statusCode, text] = [200, JSON.stringify(answer, withBase64, spaces)];
      const { $metadata: _, ...output } = (await documents.send(command as never)) as object & {
        $metadata: unknown;
      };
      return { sent, output };
    },
  };
}

/** DynamoDB sends bytes as base64. `JSON.stringify` has converted a Buffer to an object before this. */
function withBase64(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value;
}

/** The SDK's own protocol sends bytes. */
const textOf = (body: unknown) =>
  typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/transport';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAndWriteJson } from '#shared/db/transport/json.ts';
import { deserializerOf } from '#shared/db/transport/sdk-client.ts';

type Sent = Pick<HttpRequest, 'method' | 'path'> & {
  body: unknown;
  target: unknown;
  type: unknown;
};

/** A client whose requests are not sent and get this JSON as the response. */
function clientOf(change: (client: DynamoDBClient) => void) {
  const sent: Sent[] = [];
  let answer = '{}';
  let statusCode = 200;
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'A', secretAccessKey: 's' },
    requestHandler: {
      handle: async ({ method, path, body, headers }: HttpRequest) => {
        const { 'x-amz-target': target, 'content-type': type } = headers;
        sent.push({ method, path, body, target, type });
        return {
          response: new HttpResponse({ statusCode, headers: {}, body: Buffer.from(answer) }),
        };
      },
    },
  });
  change(client);
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  return {
    /** The request body that puts an item. */
    put: async (Item: Record<string, unknown>) => {
      await documents.send(new PutCommand({ TableName: 'T', Item }));
      const { body, ...to } = sent.pop() as Sent;
      return { ...to, body: JSON.parse(textOf(body)) as unknown };
    },
    /** The item read from this JSON. DynamoDB sends no spaces; its emulators may. */
    get: async (json: unknown, spaces?: number) => {
      answer = spaces === undefined ? String(json) : JSON.stringify(json, null, spaces);
      return (await documents.send(new GetCommand({ TableName: 'T', Key: { pk: 'a' } }))).Item;
    },
    /** The outcome of a request with this response. */
    answered: async (status: number, json: object): Promise<object> => {
      [statusCode, answer] = [status, JSON.stringify(json)];
      const sending = documents.send(new GetCommand({ TableName: 'T', Key: { pk: 'a' } }));
      return sending.catch((error: unknown) => error as Error).finally(() => (statusCode = 200));
    },
  };
}
/** The SDK's own protocol sends bytes. */
const textOf = (body: unknown) =>
  typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);

const ours = clientOf((client) => {
  const sdk = deserializerOf(client);
  readAndWriteJson(client, async () => sdk);
});
const theirs = clientOf(() => {});

const bytes = fc.uint8Array({ maxLength: 20 });
// The SDK treats an attribute named __proto__ as the prototype. No such name is stored, because bodies that contain it
// are rejected.
const name = fc
  .oneof(fc.constantFrom('B', 'BS', 'S', '0', 'type', '"B":"'), fc.string())
  .filter((each) => each !== '__proto__');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('{"B":"x"}', '"B":{"0":1}', '"BS":['),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    bytes,
    bytes.map((each) => Buffer.from(each)),
    bytes.filter(({ length }) => length > 0).map((each) => new Set([each])),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const items = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });

test("requests equal those of the SDK's own protocol, including binary attributes", async () => {
  await fc.assert(
    fc.asyncProperty(items, async (item) => {
      expect(await ours.put(item)).toEqual(await theirs.put(item));
    }),
    { numRuns: 500 },
  );
});

test("responses are read as by the SDK's own protocol, including binary attributes", async () => {
  await fc.assert(
    fc.asyncProperty(items, fc.constantFrom(0, 1), async (item, spaces) => {
      const { body } = await theirs.put(item);
      const stored = { Item: (body as { Item: unknown }).Item };
      expect(await ours.get(stored, spaces)).toEqual(await theirs.get(stored, spaces));
    }),
    { numRuns: 500 },
  );
});

test.each(['', ' ', '{"Item":{', 'null', '"x"', '1', '[]', '<html>'])(
  'a successful response with the body %j is an error, not a missing item',
  async (body) => {
    await expect(ours.get(body)).rejects.toThrow(SyntaxError);
  },
);

test.each(['null', '"x"', '1', '[]'])(
  'a successful response with the body %s is an error, because it is not an object',
  async (body) => {
    await expect(ours.get(body)).rejects.toThrow('The response is no object.');
  },
);

test('the status of a response is in its metadata', async () => {
  expect(await ours.answered(200, {})).toMatchObject({ $metadata: { httpStatusCode: 200 } });
});

const failure = (type: string, more = {}) => ({
  __type: `com.amazonaws.dynamodb.v20120810#${type}`,
  message: 'why',
  ...more,
});
test.each([
  [400, failure('ConditionalCheckFailedException', { Item: { pk: { S: 'a' } } })],
  [400, failure('ValidationException')],
  [500, failure('InternalServerError')],
  [300, failure('ValidationException')],
])('a failure is the same error as that of the SDK: %i %j', async (status, json) => {
  const [our, their] = [await ours.answered(status, json), await theirs.answered(status, json)];
  const shown = (error: { Item?: object }) => [String(error), error.Item];
  expect(shown(our)).toEqual(shown(their));
  expect(our).toBeInstanceOf(Error);
});

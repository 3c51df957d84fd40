import {
  ConditionalCheckFailedException,
  GetItemCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { HttpResponse } from '@smithy/core/transport';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failedCondition } from '#shared/db/transport/failed-condition.ts';
import { createSdkClient } from '#shared/db/transport/sdk-client.ts';

const answerOf = (body: object, statusCode = 400) => ({
  statusCode,
  headers: { 'x-amzn-requestid': 'R' },
  body: Buffer.from(JSON.stringify(body)),
});
type Answer = ReturnType<typeof answerOf>;

async function thrownBySdk(answer: Answer): Promise<Error> {
  const client = createSdkClient({
    region: 'local',
    credentials: { accessKeyId: 'A', secretAccessKey: 's' },
    requestHandler: { handle: async () => ({ response: new HttpResponse(answer) }) },
  });
  const get = new GetItemCommand({ TableName: 'T', Key: { pk: { S: 'a' } } });
  return client.send(get).then(
    () => new Error('The SDK took it for a success.'),
    (error: Error) => error,
  );
}

const item = fc
  .dictionary(
    fc.string({ minLength: 1 }),
    fc.oneof(fc.string(), fc.integer(), fc.uint8Array({ minLength: 1 }), fc.constant(null)),
    { maxKeys: 4, noNullPrototype: true },
  )
  .map((each) => base64(marshall(each, { convertClassInstanceToMap: true })));
/** Attributes in DynamoDB's JSON format. */
const base64 = (attributes: object): object =>
  JSON.parse(
    JSON.stringify(attributes, function (this: Record<string, unknown>, key, value: unknown) {
      const bytes = this[key];
      return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
    }),
  ) as object;
const said = fc.string({ minLength: 1 });
const message = fc.record({ message: said, Message: said }, { requiredKeys: [] });
const codes = fc.constantFrom('None', 'ConditionalCheckFailed', 'TransactionConflict');
const reason = fc.record(
  { Code: codes, Message: fc.string(), Item: item },
  { requiredKeys: ['Code'] },
);
const reasons = fc.array(reason, { minLength: 1, maxLength: 4 });
const service = 'com.amazonaws.dynamodb.v20120810';
const bodies = fc.oneof(
  fc.tuple(message, fc.record({ Item: item }, { requiredKeys: [] })).map(([text, rest]) => ({
    ...{ __type: `${service}#ConditionalCheckFailedException`, ...text, ...rest },
  })),
  fc.tuple(message, reasons).map(([text, CancellationReasons]) => ({
    ...{ __type: `${service}#TransactionCanceledException`, ...text, CancellationReasons },
  })),
);

const shown = (error: Error | undefined) => {
  const { Item, CancellationReasons, $fault, $metadata } = error as Partial<
    ConditionalCheckFailedException & TransactionCanceledException
  >;
  const { httpStatusCode, requestId } = $metadata ?? {};
  const { name, message: told, constructor } = error ?? {};
  return {
    ...{ name, told, constructor, Item, CancellationReasons },
    ...{ $fault, httpStatusCode, requestId },
  };
};

test('a failed condition is the exception that the SDK throws, including items with bytes', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const ours = failedCondition(answerOf(body));
      expect(shown(ours)).toEqual(shown(await thrownBySdk(answerOf(body))));
      expect(ours).toBeInstanceOf(
        'CancellationReasons' in body
          ? TransactionCanceledException
          : ConditionalCheckFailedException,
      );
    }),
    { numRuns: 300 },
  );
});

const lookalike = { S: '"__type":"x#ConditionalCheckFailedException"' };
test.each([
  ['another exception', answerOf({ __type: 'com.amazon.coral.service#ThrottlingException' })],
  ['a body that is not JSON', { ...answerOf({}), body: Buffer.from('<html>') }],
  ['a success', answerOf({ Item: { __type: lookalike } }, 200)],
  ['an attribute that looks like a failed condition', answerOf({ Item: { a: lookalike } })],
])('%s is not a failed condition', (_, answer) => {
  expect(failedCondition(answer)).toBeUndefined();
});

import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leanDocuments, sdkDocuments } from '../../../support/documents.ts';

type Item = Record<string, unknown>;

const [ours, theirs] = [leanDocuments(), sdkDocuments()];
const options = { removeUndefinedValues: true };
const stored = (item: Item) => marshall(item, options);

const bytes = fc.uint8Array({ maxLength: 20 });
// Members of inputs, and types of attributes, mean nothing as names in an item.
const name = fc
  .oneof(
    fc.constantFrom('Item', 'Key', 'Keys', 'S', 'M', 'NULL', 'B', 'BS', '0', 'type', '"B":"'),
    fc.string(),
  )
  // The SDK sets the prototype of the sent object; the service rejects such a name.
  .filter((each) => each !== '__proto__');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.double({ noNaN: true, min: -9e15, max: 9e15 }),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -0, 12345678901234567890n),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    bytes,
    bytes.map((each) => Buffer.from(each)),
    bytes.filter(({ length }) => length > 0).map((each) => new Set([each])),
    fc.constantFrom('{"B":"x"}', '"B":{"0":1}', '"BS":['),
    fc.constantFrom(new Set(['a', 'b']), new Set([1, 2.5]), new Map([['k', { deep: [1] }]])),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const items = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });
const table = fc.constantFrom('T', 'Item', 'Keys', 'PutRequest');

/** The commands that the service sends, with two items, and the table's response to each. */
type Make = (a: Item, b: Item, TableName: string) => { command: object; answer: object };
const operations: Record<string, Make> = {
  get: (a, b, TableName) => ({
    command: new GetCommand({ TableName, Key: a, ConsistentRead: true }),
    answer: { Item: stored(b) },
  }),
  put: (a, b, TableName) => ({
    command: new PutCommand({ TableName, Item: a, ExpressionAttributeValues: b }),
    answer: { Attributes: stored(b) },
  }),
  update: (a, b, TableName) => ({
    command: new UpdateCommand({ TableName, Key: a, ExpressionAttributeValues: b }),
    answer: { Attributes: stored(a) },
  }),
  delete: (a, b, TableName) => ({
    command: new DeleteCommand({ TableName, Key: a, ExpressionAttributeValues: b }),
    answer: {},
  }),
  query: (a, b, TableName) => ({
    command: new QueryCommand({
      TableName,
      ExclusiveStartKey: a,
      ExpressionAttributeValues: b,
      ExpressionAttributeNames: { '#a': 'Item' },
    }),
    answer: { Items: [stored(a), stored(b)], Count: 2, LastEvaluatedKey: stored(b) },
  }),
  batchGet: (a, b, TableName) => ({
    command: new BatchGetCommand({
      RequestItems: { [TableName]: { Keys: [a, b], ConsistentRead: true } },
    }),
    answer: {
      Responses: { [TableName]: [stored(a)] },
      UnprocessedKeys: { [TableName]: { Keys: [stored(b)], ConsistentRead: true } },
    },
  }),
  batchWrite: (a, b, TableName) => ({
    command: new BatchWriteCommand({
      RequestItems: { [TableName]: [{ PutRequest: { Item: a } }, { DeleteRequest: { Key: b } }] },
    }),
    answer: {
      UnprocessedItems: {
        [TableName]: [{ PutRequest: { Item: stored(a) } }, { DeleteRequest: { Key: stored(b) } }],
      },
    },
  }),
  transactWrite: (a, b, TableName) => ({
    command: new TransactWriteCommand({
      ClientRequestToken: 'once',
      TransactItems: [
        { Put: { TableName, Item: a, ExpressionAttributeValues: b } },
        { Update: { TableName, Key: a, UpdateExpression: 'SET #a', ExpressionAttributeValues: b } },
        { Delete: { TableName, Key: b } },
        { ConditionCheck: { TableName, Key: a, ConditionExpression: 'x' } },
      ],
    }),
    answer: {},
  }),
};

describe("a document is sent and read as by the SDK's own document client, bytes included", () => {
  test.each(Object.keys(operations))('%s', async (operation) => {
    const given = fc.tuple(items, items, table, fc.constantFrom(0, 1));
    await fc.assert(
      fc.asyncProperty(given, async ([a, b, TableName, spaces]) => {
        const make = () => ({ ...operations[operation]!(a, b, TableName), spaces });
        expect(await ours.exchange(make())).toEqual(await theirs.exchange(make()));
      }),
      { numRuns: 100 },
    );
  });
});

const refused: [string, unknown][] = [
  ['NaN', Number.NaN],
  ['an infinite number', Infinity],
  ['a number that is not exact', 2 ** 53],
  ['an empty set', new Set()],
  ['an object of a class', new URL('https://example.com')],
];
test.each(refused)('%s is refused as by the SDK', async (_, wrong) => {
  const make = () => ({
    command: new PutCommand({ TableName: 'T', Item: { deep: [{ wrong }] } }),
    answer: {},
  });
  const failure = await theirs.exchange(make()).catch((error: Error) => error.message);
  expect(failure).toEqual(expect.any(String));
  await expect(ours.exchange(make())).rejects.toThrow(failure);
});

describe('a middleware that is added or removed counts from the next call on', () => {
  const steps = ['initialize', 'serialize', 'build', 'finalizeRequest', 'deserialize'] as const;
  const make = () => operations['get']!({ pk: 'a' }, { pk: 'a', n: 1 }, 'T');

  /**
   * The input that a middleware sees at each step of a call: documents before serialisation, attribute values after it.
   */
  async function seen({ client, exchange }: typeof ours) {
    const calls: unknown[] = [];
    const stack = client.middlewareStack;
    for (const step of steps)
      stack.add(
        (next, context) => async (args: { input: object }) => {
          const result = await next(args as never);
          const { $metadata: _, ...output } = result.output ?? {};
          calls.push([step, context['commandName'], args.input, output]);
          return result;
        },
        { step: step as 'build', name: step, priority: 'low' },
      );
    await exchange(make());
    const found = [...calls];
    for (const step of steps) expect(stack.remove(step)).toBe(true);
    await exchange(make());
    expect(calls).toEqual(found);
    return found;
  }

  test('at the same step as in the SDK', async () => {
    const found = await seen(ours);
    expect(found).toHaveLength(5);
    expect(found).toEqual(await seen(theirs));
  });

  test('for one command only, if it was added to that', async () => {
    let asked = 0;
    const { command, answer } = make();
    (command as GetCommand).middlewareStack.add(
      (next) => (args) => {
        asked += 1;
        return next(args);
      },
      { step: 'build', name: 'asked' },
    );
    await ours.exchange({ command, answer });
    await ours.exchange(make());
    expect(asked).toBe(1);
  });
});

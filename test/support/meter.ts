import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  type DynamoDBClient,
  type KeysAndAttributes,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { running } from '../../local/aws/lambda.ts';
import type { Item } from '../../shared/db/item.ts';
import { type Command, keysOf, nameOf, writtenBy } from './call-names.ts';
import { type Attributes, pageUnits, readUnits, writeUnits } from './capacity.ts';

/** The cost of work: its calls to the table, grouped by round trip, and their capacity units. */
export type Cost = {
  rounds: readonly (readonly string[])[];
  /** Read units. */
  read: number;
  /** Write units. */
  write: number;
};

type Plain = { Item?: Item; Responses?: Record<string, Item[]> };
type Round = { calls: string[]; open: number; over: PromiseWithResolvers<void> };

/**
 * Measures the calls of the service's client. Calls run in lock step: a response is delayed until every call in flight
 * has its own, so that round trips follow from data dependencies, not from timing.
 * @param client the service's own; @param raw another one, which reads items before and after a write.
 */
export function meter(client: DynamoDBDocumentClient, raw: DynamoDBClient) {
  let cost: (Cost & { rounds: string[][] }) | undefined;
  let round: Round | undefined;

  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!cost) return next(args);
      const total = cost;
      const command: Command = {
        name: (context.commandName ?? '').replace('Command', ''),
        input: args.input as Command['input'],
      };
      const text = nameOf(command);
      const mine = (round ??= { calls: [], open: 0, over: Promise.withResolvers() });
      if (mine.open === 0) total.rounds.push(mine.calls);
      mine.open += 1;
      mine.calls.push(text);
      const before = await imagesOf(command);
      try {
        const result = await next(args);
        command.output = attributesIn(await wholeOf(command, result.output as Plain));
        const page = command.name === 'Query' ? await pageOf(command) : [];
        total.read += readsOf(command, page);
        return result;
      } finally {
        // A write whose condition fails is charged by the item as stored.
        const after = await imagesOf(command);
        total.write += writesOf(command, before, after);
        // Lets the next call of the work join this round if a background call, such as a rate-limit refund, is in
        // flight.
        await sleep(3);
        mine.open -= 1;
        if (mine.open === 0) {
          round = undefined;
          mine.calls.sort();
          mine.over.resolve();
        }
        await mine.over.promise;
      }
    },
    // After the document client, which converts plain data to attribute values.
    { step: 'build', name: 'meter' },
  );

  /** The stored items that a command writes, read in one call. Neither a batch read nor a write may repeat a key. */
  async function imagesOf(command: Command): Promise<(Attributes | undefined)[]> {
    const [first, ...more] = writtenBy(command);
    if (!first) return [];
    const Keys = [first, ...more].map(({ Key }) => Key);
    const RequestItems = { [first.TableName]: { Keys, ConsistentRead: true } };
    // Outside the function's context, whose grants must not apply to these reads.
    const { Responses = {}, UnprocessedKeys = {} } = await running.exit(() =>
      raw.send(new BatchGetItemCommand({ RequestItems })),
    );
    if (Object.keys(UnprocessedKeys).length > 0)
      throw new Error('The items are more than the 16 MB of one answer.');
    const found = Responses[first.TableName] ?? [];
    return Keys.map(({ pk, sk }) =>
      found.find((item) => item['pk']?.S === pk?.S && item['sk']?.S === sk?.S),
    );
  }

  /** The whole items of a batch: units do not depend on the projected attributes. */
  async function wholeOf({ name, input }: Command, output: Plain): Promise<Plain> {
    if (name !== 'BatchGetItem') return output;
    const requests = Object.entries(input['RequestItems'] as Record<string, KeysAndAttributes>);
    if (requests.every(([, request]) => request.ProjectionExpression === undefined)) return output;
    const RequestItems = Object.fromEntries(
      requests.map(([table, { Keys }]) => [table, { Keys, ConsistentRead: true }]),
    );
    const look = new BatchGetItemCommand({ RequestItems });
    const { Responses = {} } = await running.exit(() => raw.send(look));
    const plain = Object.entries(Responses).map(([table, items]) => [
      table,
      items.map((item) => unmarshall(item)),
    ]);
    return { Responses: Object.fromEntries(plain) };
  }

  /** The whole items of a page, even if the query only counts them. */
  async function pageOf({ input }: Command): Promise<Attributes[]> {
    const { ProjectionExpression: _, Select: __, ExpressionAttributeNames, ...rest } = input;
    const all = ExpressionAttributeNames as Record<string, string>;
    const names = Object.fromEntries(['#partition', '#range'].map((name) => [name, all[name]]));
    const look = new QueryCommand({
      ...rest,
      ExpressionAttributeNames: names,
    } as QueryCommandInput);
    return (await running.exit(() => raw.send(look))).Items ?? [];
  }

  return async <T>(work: () => Promise<T>): Promise<{ result: T; cost: Cost }> => {
    const measured = { rounds: [] as string[][], read: 0, write: 0 };
    cost = measured;
    try {
      return { result: await work(), cost: measured };
    } finally {
      cost = undefined;
    }
  };
}

/** The items of a response as attribute values, from which units are computed. */
const attributesIn = ({ Item, Responses = {} }: Plain): NonNullable<Command['output']> => ({
  Item: Item && marshall(Item),
  Responses: Object.fromEntries(
    Object.entries(Responses).map(([table, items]) => [table, items.map((item) => marshall(item))]),
  ),
});

function readsOf({ name, input, output }: Command, page: Attributes[]): number {
  switch (name) {
    case 'GetItem':
      return readUnits([output?.Item]);
    case 'BatchGetItem': {
      const found = Object.values(output?.Responses ?? {}).flat();
      const missing = keysOf(input).length - found.length;
      return readUnits(found) + readUnits(Array.from({ length: missing }));
    }
    case 'Query':
      return pageUnits(page, input['ConsistentRead'] === true);
    default:
      return 0;
  }
}

function writesOf(
  command: Command,
  before: (Attributes | undefined)[],
  after: (Attributes | undefined)[],
): number {
  const transaction = command.name === 'TransactWriteItems';
  return before.reduce((sum, image, i) => sum + writeUnits(image, after[i], transaction), 0);
}

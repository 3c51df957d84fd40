import { fromAttributes, toAttributes } from './attribute-values.ts';

type Convert = (value: never) => unknown;
type Members = Record<string, unknown>;

/** Converts these members of an object, as far as it has them, and leaves the others. */
const members =
  (conversions: Record<string, Convert>): Convert =>
  (object: Members) => {
    const converted = { ...object };
    for (const name in conversions)
      if (object[name] !== undefined) converted[name] = conversions[name]?.(object[name] as never);
    return converted;
  };
const each =
  (convert: Convert): Convert =>
  (list: unknown[]) =>
    list.map((one) => convert(one as never));
const byTable =
  (convert: Convert): Convert =>
  (tables: Members) =>
    Object.fromEntries(Object.entries(tables).map(([table, of]) => [table, convert(of as never)]));

/**
 * Where the operations that are used have values: their inputs, and in the same form what was not processed of them.
 */
function operations(values: Convert) {
  const conditional = members({
    Key: values,
    Item: values,
    ExpressionAttributeValues: values,
    ExclusiveStartKey: values,
  });
  const batchGet = byTable(members({ Keys: each(values) }));
  const batchWrite = byTable(
    each(members({ PutRequest: conditional, DeleteRequest: conditional })),
  );
  return { conditional, batchGet, batchWrite };
}
const { conditional, batchGet, batchWrite } = operations(toAttributes);
const unprocessed = operations(fromAttributes);
const changed = members({ Attributes: fromAttributes });

/** By the names of commands: their inputs and outputs. */
const conversions = {
  GetItemCommand: [conditional, members({ Item: fromAttributes })],
  PutItemCommand: [conditional, changed],
  UpdateItemCommand: [conditional, changed],
  DeleteItemCommand: [conditional, changed],
  QueryCommand: [
    conditional,
    members({ Items: each(fromAttributes), LastEvaluatedKey: fromAttributes }),
  ],
  BatchGetItemCommand: [
    members({ RequestItems: batchGet }),
    members({
      Responses: byTable(each(fromAttributes)),
      UnprocessedKeys: unprocessed.batchGet,
    }),
  ],
  BatchWriteItemCommand: [
    members({ RequestItems: batchWrite }),
    members({ UnprocessedItems: unprocessed.batchWrite }),
  ],
  TransactWriteItemsCommand: [
    members({
      TransactItems: each(
        members({
          ConditionCheck: conditional,
          Put: conditional,
          Update: conditional,
          Delete: conditional,
        }),
      ),
    }),
    (output: never) => output,
  ],
} satisfies Record<string, [marshall: Convert, unmarshall: Convert]>;

/** The commands that are used here. */
export type CommandName = keyof typeof conversions;

type Next = (args: { input: unknown }) => Promise<{ output: unknown }>;

/**
 * The document client's two middlewares for a command, by their names, in a form that takes a third of its time.
 * Undefined for a command that is not used here. Legacy parameters of the commands, such as `Expected`, are not known.
 */
export function documentMiddlewares(command: string | undefined) {
  const [marshall, unmarshall] = conversions[command as CommandName] ?? [];
  if (!marshall || !unmarshall) return undefined;
  return {
    DocumentMarshall: (next: Next) => (args: { input: unknown }) =>
      next({ ...args, input: marshall(args.input as never) }),
    DocumentUnmarshall: (next: Next) => async (args: { input: unknown }) => {
      const answer = await next(args);
      answer.output = unmarshall(answer.output as never);
      return answer;
    },
  };
}

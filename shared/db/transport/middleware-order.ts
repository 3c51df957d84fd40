import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { constructStack } from '@smithy/core/client';
import { documentMiddlewares } from './documents.ts';

type Stack = DynamoDBClient['middlewareStack'];
type Context = { commandName?: string };
type Middleware = (next: unknown, context: Context) => unknown;
type Entry = { middleware: Middleware; options: { name?: string } };

/** The middleware with which every command of the SDK finds the table, at each call. The transport knows the place. */
const endpoint = 'endpointV2Middleware';

/**
 * A client's stack of middlewares that is put into order once for all commands that have the same ones, instead of
 * cloned twice and sorted in each call. What is added and removed counts from the next call on, as in the SDK's own.
 * Documents are translated by {@link documentMiddlewares}.
 */
export function orderedOnce(own: Stack): Stack {
  /** By the names of a command's middlewares: those of the client, and the places of the command's own. */
  const orders = new Map<string, (Middleware | number)[]>();

  const changing =
    <Args extends unknown[], Result>(change: (...args: Args) => Result) =>
    (...args: Args) => {
      orders.clear();
      return change(...args);
    };

  function orderFor(command: Entry[]): (Middleware | number)[] {
    const names = command.map(({ options }) => options.name).join(' ');
    const cached = orders.get(names);
    if (cached) return cached;
    const order = sorted([...entriesOf(own), ...command]).map((entry) => {
      const place = command.indexOf(entry);
      return place < 0 ? entry.middleware : place;
    });
    orders.set(names, order);
    return order;
  }

  /** The stack of one call. A command joins its own middlewares with the client's, a document command twice. */
  function joined(command: Stack) {
    const stack = {
      concat: (again: Stack): unknown =>
        again === command ? stack : own.concat(command as never).concat(again),
      resolve: (handler: unknown, context: Context) => {
        const documents = documentMiddlewares(context.commandName) as
          | Record<string, Middleware>
          | undefined;
        const entries = entriesOf(command).filter(({ options }) => options.name !== endpoint);
        return orderFor(entries).reduceRight<unknown>((next, at) => {
          if (typeof at !== 'number') return at(next, context);
          const { middleware, options } = entries[at] as Entry;
          return (documents?.[options.name ?? ''] ?? middleware)(next, context);
        }, handler);
      },
    };
    return stack;
  }

  return {
    ...own,
    add: changing(own.add),
    addRelativeTo: changing(own.addRelativeTo),
    remove: changing(own.remove),
    removeByTag: changing(own.removeByTag),
    use: changing(own.use),
    concat: joined,
  } as unknown as Stack;
}

/** The entries of a stack, not in order. */
function entriesOf(stack: Stack): Entry[] {
  const entries: Entry[] = [];
  const add = (middleware: Middleware, options: Entry['options'] = {}) =>
    void entries.push({ middleware, options });
  stack.applyToStack({ add, addRelativeTo: add } as never);
  return entries;
}

/** Has the SDK sort entries. It applies them one by one, which tells the order. */
function sorted(entries: Entry[]): Entry[] {
  const order: Entry[] = [];
  const stack = constructStack();
  for (const entry of entries) {
    // The options of an entry name its middleware too.
    const options = { ...entry.options, middleware: () => void order.unshift(entry) };
    if ('toMiddleware' in options)
      stack.addRelativeTo(options.middleware as never, options as never);
    else stack.add(options.middleware as never, options as never);
  }
  stack.resolve(undefined as never, {});
  return order;
}

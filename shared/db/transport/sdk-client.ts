import {
  BatchGetItem$,
  BatchWriteItem$,
  DeleteItem$,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItem$,
  GetItemCommand,
  PutItem$,
  Query$,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactWriteItems$,
  UpdateItem$,
} from '@aws-sdk/client-dynamodb';
import { getEndpointFromInstructions, getEndpointPlugin } from '@smithy/core/endpoints';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { getSmithyContext } from '@smithy/core/transport';
import type { HandlerExecutionContext, InitializeMiddleware, MiddlewareStack } from '@smithy/types';
import type { CommandName } from './documents.ts';
import type { Deserialize } from './json.ts';
import type { Place } from './place.ts';

/** Creates a DynamoDB client on the SDK's own transport. It never retries. */
export function createSdkClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    // `send` retries. The SDK's own strategy would also watch the abort signal, at 40 us a call.
    retryStrategy: { retry: (next, args) => next(args) },
    requestHandler: {
      connectionTimeout: 300,
      requestTimeout: 500,
      // Without this option the SDK only warns, and a hanging call hangs forever.
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 128 },
      httpsAgent: { keepAlive: true, maxSockets: 128 },
    },
    ...config,
  });
  // Its log line, which nothing uses, visits every item read: a sixth of the CPU time of a long page.
  client.middlewareStack.remove('loggerMiddleware');
  // Composing the header anew costs 30 us a call, and nothing reads it.
  client.middlewareStack.remove('getUserAgentMiddleware');
  // The commands in bundles have neither schemas nor endpoints of their own (lib/bundle-sdk.ts).
  const described: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (
    next,
    context,
  ) => {
    describe(context);
    return next;
  };
  client.middlewareStack.add(described, { step: 'initialize' });
  client.middlewareStack.use(getEndpointPlugin(client.config, endpointParameters()));
  return client;
}

const operations: Record<CommandName, unknown> = {
  GetItemCommand: GetItem$,
  PutItemCommand: PutItem$,
  UpdateItemCommand: UpdateItem$,
  DeleteItemCommand: DeleteItem$,
  QueryCommand: Query$,
  BatchGetItemCommand: BatchGetItem$,
  BatchWriteItemCommand: BatchWriteItem$,
  TransactWriteItemsCommand: TransactWriteItems$,
};

/** Gives the SDK the schema of a command's operation. */
function describe(context: HandlerExecutionContext): void {
  getSmithyContext(context)['operationSchema'] ??= operations[context.commandName as CommandName];
}

/** Where the SDK finds the table: by the environment, the files and the partitions of AWS. */
export async function placeOf({ config }: DynamoDBClient): Promise<Place> {
  const supplier = { getEndpointParameterInstructions: endpointParameters };
  const { url } = await getEndpointFromInstructions({}, supplier, { ...config });
  return { url, region: await config.region(), credentials: config.credentials };
}

const endpointParameters = () => GetItemCommand.getEndpointParameterInstructions();

/** The SDK's own middleware that reads responses, which its plugin would add to a client. */
export function deserializerOf({ config }: DynamoDBClient): Deserialize {
  const found: Record<string, unknown> = {};
  const stack = {
    add: (middleware: unknown, { name = '' }: { name?: string }) => (found[name] = middleware),
  } as unknown as MiddlewareStack<ServiceInputTypes, ServiceOutputTypes>;
  getSchemaSerdePlugin(config).applyToStack(stack);
  const deserialize = found['deserializerMiddleware'] as Deserialize;
  return (next, context) => {
    describe(context);
    return deserialize(next, context);
  };
}

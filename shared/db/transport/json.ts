import type {
  DynamoDBClient,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { HttpRequest } from '@smithy/core/transport';
import type { DeserializeMiddleware, MiddlewareStack, SerializeMiddleware } from '@smithy/types';

/** A binary attribute in JSON: the only value that is not itself there. An attribute named `B` is none. */
const binarySent = /"B":\{(?:\}|"0":\d|"type":"Buffer")|"BS":\[/;
const binaryRead = /"B":"|"BS":\[/;

type Response = { statusCode: number; body: Buffer };
type Serialize = SerializeMiddleware<ServiceInputTypes, ServiceOutputTypes>;
type Deserialize = DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes>;

/**
 * Has a client write and read DynamoDB's JSON without the SDK's schemas: inputs and outputs of the commands are that
 * JSON already. Binary attributes, errors and what is no JSON are left to the SDK.
 */
export function readAndWriteJson({ middlewareStack, config }: DynamoDBClient): void {
  const sdk = sdkMiddleware(config);

  const serialize: Serialize = (next, context) => async (args) => {
    const body = JSON.stringify(args.input);
    const { endpointV2, commandName = '' } = context;
    if (!endpointV2 || binarySent.test(body)) return sdk.serialize(next, context)(args);
    const { protocol, hostname, port } = endpointV2.url;
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${commandName.replace(/Command$/, '')}`,
    };
    const to = { protocol, hostname, ...(port !== '' && { port: Number(port) }), path: '/' };
    return next({ ...args, request: new HttpRequest({ ...to, method: 'POST', headers, body }) });
  };

  const deserialize: Deserialize = (next, context) => async (args) => {
    const { response } = await next(args);
    const output = outputOf(response as Response);
    if (output) return { response, output };
    return sdk.deserialize(async () => ({ response }), context)(args);
  };

  const override = true;
  middlewareStack.add(serialize, { step: 'serialize', name: 'serializerMiddleware', override });
  middlewareStack.add(deserialize, {
    step: 'deserialize',
    name: 'deserializerMiddleware',
    override,
  });
}

function outputOf({ statusCode, body }: Response): ServiceOutputTypes | undefined {
  if (statusCode >= 300) return undefined;
  const json = body.toString();
  if (binaryRead.test(json)) return undefined;
  try {
    return Object.assign(JSON.parse(json), { $metadata: { httpStatusCode: statusCode } });
  } catch {
    return undefined;
  }
}

/** The SDK's own two middlewares, which its plugin would add to a client. */
function sdkMiddleware(config: Parameters<typeof getSchemaSerdePlugin>[0]) {
  const found: Record<string, unknown> = {};
  const stack = {
    add: (middleware: unknown, { name = '' }: { name?: string }) => (found[name] = middleware),
  } as unknown as MiddlewareStack<ServiceInputTypes, ServiceOutputTypes>;
  getSchemaSerdePlugin(config).applyToStack(stack);
  return {
    serialize: found['serializerMiddleware'] as Serialize,
    deserialize: found['deserializerMiddleware'] as Deserialize,
  };
}

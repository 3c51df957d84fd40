import type {
  DynamoDBClient,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { HttpRequest } from '@smithy/core/transport';
import type { DeserializeMiddleware, SerializeMiddleware } from '@smithy/types';
import { fromJson, toJson } from './attribute-json.ts';
import { failedCondition } from './failed-condition.ts';
import type { HttpAnswer } from './http.ts';

type Serialize = SerializeMiddleware<ServiceInputTypes, ServiceOutputTypes>;
export type Deserialize = DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes>;

/**
 * Has a client write and read DynamoDB's JSON without the SDK's schemas: inputs and outputs of the commands are that
 * JSON already, but for binary attributes. Errors other than failed conditions are left to the SDK.
 *
 * @param sdk loads the SDK's own middleware that reads responses
 */
export function readAndWriteJson(
  { middlewareStack }: DynamoDBClient,
  sdk: () => Promise<Deserialize>,
): void {
  const serialize: Serialize = (next, context) => async (args) => {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${String(context.commandName).replace('Command', '')}`,
    };
    const body = toJson(args.input);
    return next({
      ...args,
      request: new HttpRequest({ method: 'POST', headers, body }),
    });
  };

  const deserialize: Deserialize = (next, context) => async (args) => {
    const { response } = await next(args);
    const answer = response as HttpAnswer;
    if (answer.statusCode < 300) return { response, output: outputOf(answer) };
    const failed = failedCondition(answer);
    if (failed) throw failed;
    return (await sdk())(async () => ({ response }), context)(args);
  };

  middlewareStack.add(serialize, { step: 'serialize', name: 'serializerMiddleware' });
  middlewareStack.add(deserialize, { step: 'deserialize', name: 'deserializerMiddleware' });
}

/** Throws a SyntaxError for what is no object, also for nothing: to the SDK that is an item that does not exist. */
function outputOf({ statusCode, body }: HttpAnswer): ServiceOutputTypes {
  const output = fromJson(body.toString());
  if (output?.constructor !== Object) throw new SyntaxError('The response is no object.');
  return Object.assign(output, { $metadata: { httpStatusCode: statusCode } });
}

import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { HttpRequest } from '@smithy/core/transport';

type Serialize = Parameters<AwsJson1_0Protocol['serializeRequest']>;
type Deserialize = Parameters<AwsJson1_0Protocol['deserializeResponse']>;

/** A binary attribute in JSON: the only value that is not itself there. An attribute named `B` is none. */
const binarySent = /"B":\{(?:\}|"0":\d|"type":"Buffer")|"BS":\[/;
const binaryRead = /"B":"|"BS":\[/;

/**
 * DynamoDB's protocol without the SDK's schemas: inputs and outputs of the commands are its JSON already. Errors, and
 * what has binary attributes, are left to the SDK.
 */
export class JsonProtocol extends AwsJson1_0Protocol {
  override async serializeRequest(...[operation, input, context]: Serialize): Promise<HttpRequest> {
    const json = JSON.stringify(input);
    const body = binarySent.test(json)
      ? new TextDecoder().decode((await super.serializeRequest(operation, input, context)).body)
      : json;
    const { protocol, hostname, port } = await context.endpoint();
    return new HttpRequest({
      protocol,
      hostname,
      ...(port !== undefined && { port }),
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `${this.serviceTarget}.${operation.name}`,
      },
      body,
    });
  }

  override async deserializeResponse(...[operation, context, response]: Deserialize) {
    const { statusCode, body } = response as { statusCode: number; body: Buffer };
    const json = body.toString();
    if (statusCode >= 300 || binaryRead.test(json))
      return super.deserializeResponse(operation, context, response);
    const output = JSON.parse(json);
    output.$metadata = { httpStatusCode: statusCode };
    return output;
  }
}

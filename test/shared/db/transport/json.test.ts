import { expect, test } from 'vitest';
import { leanDocuments, sdkDocuments } from '../../../support/documents.ts';

/** Responses that are no documents. documents.test.ts has all requests, and the responses to them. */

const [ours, theirs] = [leanDocuments(), sdkDocuments()];

const broken = ['', ' ', '{"Item":{', '<html>'];
test.each(broken)('the body %j of a success is an error, not a missing item', async (body) => {
  await expect(ours.read(body)).rejects.toThrow(SyntaxError);
});

test.each(['null', '"x"', '1', '[]'])('the body %s of a success is no object', async (body) => {
  const failure = ours.read(body);
  await expect(failure).rejects.toThrow(SyntaxError);
  await expect(failure).rejects.toThrow('The response is no object.');
});

test('the status of a response is in its metadata', async () => {
  expect(await ours.read('{}')).toMatchObject({ $metadata: { httpStatusCode: 200 } });
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
  const shown = ({ read }: typeof ours) =>
    read(JSON.stringify(json), status).then(
      () => 'a success',
      (error: Error & { Item?: object }) => [error instanceof Error, String(error), error.Item],
    );
  expect(await shown(ours)).toEqual(await shown(theirs));
  expect(await shown(ours)).toContain(true);
});

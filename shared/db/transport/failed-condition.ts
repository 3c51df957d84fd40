import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { fromJson } from './attribute-json.ts';
import type { HttpAnswer } from './http.ts';

const exceptions = { ConditionalCheckFailedException, TransactionCanceledException };

type Failure = { __type?: string; message?: string; Message?: string };

/** The exception of a failed condition, as the SDK makes it; undefined for any other response. */
export function failedCondition({ statusCode, headers, body }: HttpAnswer): Error | undefined {
  const text = body.toString();
  const [, name] = /"__type":"[\w.]+#(\w+)"/.exec(text) ?? [];
  if (statusCode !== 400 || !name || !(name in exceptions)) return undefined;
  const {
    __type,
    Message,
    message = Message ?? 'UnknownError',
    ...rest
  } = fromJson(text) as Failure;
  const requestId = headers['x-amzn-requestid'] as string;
  const $metadata = { httpStatusCode: statusCode, requestId };
  return new exceptions[name as keyof typeof exceptions]({ ...rest, message, $metadata });
}

import type { Context } from 'aws-lambda';
import { runInRequest } from '#shared/db/request-context.ts';
import { operate } from '#shared/operator/projects.ts';
import { readOperatorRequest } from '#shared/operator/request.ts';

const reserve = 1_000;

/**
 * The operator's function. It has no route; only IAM controls who may invoke it. Throws an Error whose message names
 * all invalid fields, and which the invocation returns.
 */
export async function handler(event: unknown, lambda: Context) {
  const request = await readOperatorRequest(event);
  return runInRequest(lambda.awsRequestId, lambda.getRemainingTimeInMillis() - reserve, () =>
    operate(request),
  );
}

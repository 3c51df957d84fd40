import type { Context } from 'aws-lambda';
import { runInRequest } from '#shared/db/request-context.ts';
import { operate } from '#shared/operator/projects.ts';
import { readOperatorRequest } from '#shared/operator/request.ts';

const reserve = 1_000;

/**
 * The operator's function: no route leads here, IAM alone says who may invoke it.
 * Throws an Error whose message names every wrong field; the invocation's answer then carries it.
 */
export async function handler(event: unknown, lambda: Context) {
  const request = await readOperatorRequest(event);
  return runInRequest(lambda.awsRequestId, lambda.getRemainingTimeInMillis() - reserve, () =>
    operate(request),
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { runInRequest } from '../db/request-context.ts';
import {
  finishRotation,
  hasKey,
  makePending,
  publishPending,
  testPending,
} from './signing-keys.ts';

/** Creates the first signing key, as a custom resource of the stack: the deployment waits for it. */

/** Milliseconds: for one attempt, between attempts, and reserved to respond to CloudFormation. */
const patience = { attempt: 10_000, pause: 2_000, answer: 5_000 };

type Outcome = { Status: 'SUCCESS' } | { Status: 'FAILED'; Reason: string };

/**
 * Responds to CloudFormation, after creating the first key if the request is a creation. Updates and deletions change
 * nothing: the key lives as long as its secret. Rejects if CloudFormation cannot be reached.
 * @param remaining milliseconds that the function has left
 */
export async function answerDeployment(
  event: CloudFormationCustomResourceEvent,
  remaining: () => number,
): Promise<void> {
  const { RequestType, RequestId, StackId, LogicalResourceId, ResponseURL } = event;
  const outcome: Outcome =
    RequestType === 'Create' ? await createFirstKey(event, remaining) : { Status: 'SUCCESS' };
  // Bytes, because a string body would set a content type, which the signature of the URL does not cover.
  const body = new TextEncoder().encode(
    JSON.stringify({
      ...outcome,
      PhysicalResourceId: 'first-key',
      StackId,
      RequestId,
      LogicalResourceId,
    }),
  );
  const signal = AbortSignal.timeout(patience.answer);
  const response = await fetch(ResponseURL, { method: 'PUT', body, signal });
  if (!response.ok) throw new Error(`CloudFormation responded with ${response.status}.`);
}

/** Retries until the time is up: right after its creation, a role may not be known everywhere. */
async function createFirstKey(
  { RequestId, ResourceProperties }: CloudFormationCustomResourceEvent,
  remaining: () => number,
): Promise<Outcome> {
  const secretId = String(ResourceProperties['SecretId']);
  for (;;) {
    try {
      const budget = Math.min(patience.attempt, remaining() - patience.answer);
      await runInRequest(RequestId, budget, () => makeFirstKey(secretId, RequestId));
      return { Status: 'SUCCESS' };
    } catch (error) {
      if (remaining() < patience.attempt + patience.pause + patience.answer)
        return {
          Status: 'FAILED',
          Reason: `The first signing key was not created. ${messageFor(error)}`,
        };
      await sleep(patience.pause);
    }
  }
}

/** Runs the four steps of a rotation. Each step can be repeated, also after a partial earlier attempt. */
async function makeFirstKey(secretId: string, token: string): Promise<void> {
  if (await hasKey(secretId)) return;
  await makePending(secretId, token);
  await publishPending(secretId, token);
  await testPending(secretId, token);
  await finishRotation(secretId, token);
}

/** CloudFormation accepts at most 4 KB. */
function messageFor(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: 'Unknown.' };
  return `${name}: ${message}`.slice(0, 1_000);
}

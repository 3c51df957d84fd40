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

/** The first signing key, which a deployment waits for: it is a custom resource of the stack. */

/** Milliseconds: of one try, between tries, and kept back to tell CloudFormation. */
const patience = { attempt: 10_000, pause: 2_000, answer: 5_000 };

type Outcome = { Status: 'SUCCESS' } | { Status: 'FAILED'; Reason: string };

/**
 * Answers CloudFormation, with the first key where the resource is created. An update and a deletion change nothing: the
 * key lives as long as its secret. Rejects where CloudFormation cannot be told.
 *
 * @param remaining milliseconds that the function still has
 */
export async function answerDeployment(
  event: CloudFormationCustomResourceEvent,
  remaining: () => number,
): Promise<void> {
  const { RequestType, RequestId, StackId, LogicalResourceId, ResponseURL } = event;
  const outcome: Outcome =
    RequestType === 'Create' ? await createFirstKey(event, remaining) : { Status: 'SUCCESS' };
  // Bytes, because a text would get a content type, which is not among what the URL is signed for.
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
  if (!response.ok) throw new Error(`CloudFormation's address answers ${response.status}.`);
}

/** Tries until the time is up: right after it is created, a role may not be known everywhere. */
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
        return { Status: 'FAILED', Reason: `The first signing key was not made. ${told(error)}` };
      await sleep(patience.pause);
    }
  }
}

/** The four steps of a rotation at once. Each may be repeated, also with what an earlier try left. */
async function makeFirstKey(secretId: string, token: string): Promise<void> {
  if (await hasKey(secretId)) return;
  await makePending(secretId, token);
  await publishPending(secretId, token);
  await testPending(secretId, token);
  await finishRotation(secretId, token);
}

/** CloudFormation takes 4 KB. */
function told(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: 'Unknown.' };
  return `${name}: ${message}`.slice(0, 1_000);
}

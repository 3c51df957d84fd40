import { setImmediate } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import type { World } from '../world.ts';

/**
 * Has the groups of the queue followed one after the other, that of a project before that of its members. Side by side,
 * as they are otherwise, it is chance which of their calls are made at once.
 */
export async function followInTurn({ queues, drainStream }: World): Promise<void> {
  // The first time, it sets who follows.
  await drainStream();
  const handler = await fromSource('stream.consume');
  let last: Promise<unknown> = Promise.resolve();
  queues.feed('changes', async (event: SQSEvent) => {
    const [first] = event.Records;
    // Both come at once.
    if (first?.attributes.MessageGroupId?.endsWith('.members')) await setImmediate();
    const turn = last.then(() => invoke('stream.consume', handler, event));
    last = turn.catch(() => {});
    return turn;
  });
}

import { setImmediate } from 'node:timers/promises';
import type { SQSEvent } from 'aws-lambda';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import type { World } from '../world.ts';

/**
 * Processes the message groups of the queue sequentially, the group of a project before that of its members. Normally
 * they run concurrently, and which calls share a round trip is then random.
 */
export async function consumeInTurn({ queues, drainStream }: World): Promise<void> {
  // The first call sets the consumer.
  await drainStream();
  const handler = await fromSource('stream.consume');
  let last: Promise<unknown> = Promise.resolve();
  queues.feed('changes', async (event: SQSEvent) => {
    const [first] = event.Records;
    // Both arrive at once.
    if (first?.attributes.MessageGroupId?.endsWith('.members')) await setImmediate();
    const turn = last.then(() => invoke('stream.consume', handler, event));
    last = turn.catch(() => {});
    return turn;
  });
}

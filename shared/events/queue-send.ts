import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { currentRequest } from '../db/request-context.ts';
import { pack } from '../model/pack.ts';
import { queues } from './queue-client.ts';
import type { Message, QueueName } from './queue-sort.ts';

/** Limits of one call: SQS takes ten messages, together a megabyte. */
const maxMessages = { elements: 10, bytes: 1_000_000 };
/** Attempts to send a message that the queue rejects. */
const tries = 5;

/**
 * Whether SQS refuses a message for what it contains, so that no repetition helps. Every other refusal passes, or ends
 * for all messages at once: throttling, access, a key, a queue that is gone.
 */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof Error &&
  /^(?:InvalidMessageContents|InvalidParameterValue|BatchRequestTooLong)/.test(error.name);

/**
 * Sends messages. Those of one group are sent in sequence: the next one follows when the queue has accepted the one
 * before. Throws if one is rejected; the others may have been accepted, and SQS deduplicates them when they are sent
 * again.
 *
 * @param urlOf the URL of a queue
 */
export async function sendMessages(
  messages: readonly Message[],
  urlOf: (queue: QueueName) => string,
): Promise<void> {
  const groups = [...Map.groupBy(messages, ({ queue, group }) => `${queue} ${group}`).values()];
  for (let round = 0; groups.some((group) => group.length > round); round += 1) {
    const next = groups.flatMap((group) => group[round] ?? []);
    await Promise.all(calls(next).map((some) => send(some, urlOf)));
  }
}

/** Each call has at most one message of a group, so that a partial success cannot change the order. */
function calls(messages: readonly Message[]): Message[][] {
  const ofQueues = [...Map.groupBy(messages, ({ queue }) => queue).values()];
  return ofQueues.flatMap((ofQueue) =>
    pack(ofQueue, maxMessages, ({ body }) => Buffer.byteLength(body)),
  );
}

async function send(
  messages: readonly Message[],
  urlOf: (queue: QueueName) => string,
): Promise<void> {
  const { signal } = currentRequest();
  const [{ queue } = { queue: 'changes' as const }] = messages;
  let left = messages.map((message, i) => ({
    Id: `${i}`,
    MessageBody: message.body,
    MessageGroupId: message.group,
    MessageDeduplicationId: message.deduplication,
  }));
  for (let attempt = 1; ; attempt += 1) {
    const command = new SendMessageBatchCommand({ QueueUrl: urlOf(queue), Entries: left });
    const { Successful = [], Failed = [] } = await queues.send(command, { abortSignal: signal });
    const taken = new Set(Successful.map(({ Id }) => Id));
    left = left.filter(({ Id }) => !taken.has(Id));
    if (left.length === 0) return;
    if (attempt === tries)
      throw Object.assign(new Error('Refused by the queue'), { name: Failed[0]?.Code });
    await sleep(50 * 2 ** attempt * Math.random(), undefined, { signal });
  }
}

import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { changesQueue } from '../../lib/domains/events.ts';
import { mailsQueue } from '../../lib/domains/mail.ts';
import { isContinuation, type QueueName } from '../../shared/events/queue-sort.ts';
import { type Failing, failures } from '../injected-failures.ts';
import { refusal, serveJson } from '../loopback.ts';
import { Lanes } from './lanes.ts';
import { type Message, toRecord } from './sqs-message.ts';
import { changing, deleting, maxBatch, sending } from './sqs-protocol.ts';

/**
 * A simulated failure of a call: an error of the service, messages rejected by index, no response at all, or a
 * connection that breaks after the messages were accepted.
 */
export type QueueFault = { status: number; code: string } | { refuse: number[] } | 'hang' | 'lose';

/** Processes messages of a group; its result or error identifies the unprocessed ones. */
export type Taker = (event: SQSEvent) => Promise<unknown>;

export type Queues = Failing<QueueFault> & {
  endpoint: string;
  urlOf(queue: QueueName): string;
  /**
   * Sets the consumer of a queue. Messages of one group are processed in order, groups in parallel.
   * @param retention seconds of waiting, by the intended waits, after which a message is dropped; default: never.
   */
  feed(queue: QueueName, taker: Taker, retention?: number): void;
  /** Number of messages waiting or in progress. */
  waiting(): number;
  /** Resolves when all earlier messages are processed; false if the queues were closed before. */
  workedOff(): Promise<boolean>;
  close(): Promise<void>;
};

type Options = {
  /** Maximum milliseconds before a failed message is retried. */
  longestPause?: number;
  onError?: (error: unknown) => void;
};

/** Deduplication window in milliseconds. */
const remembered = 300_000;
/** Milliseconds before a retry if the function did not set a time. */
const forgotten = 1_000;

const names: readonly QueueName[] = ['changes', 'mails'];

/**
 * Serves the FIFO queues between the stream and its consumers with the protocol of SQS on a free loopback port, and
 * invokes the consumers like Lambda's mapping, with messages of one group at a time. Everything is in memory: with
 * `workedOff`, a sender knows which messages it would have to send again.
 */
export async function startQueues({
  longestPause = 90_000,
  onError,
}: Options = {}): Promise<Queues> {
  const takers = new Map<QueueName, { taker: Taker; retention: number }>();
  const { failing, nextFault } = failures<QueueFault>();
  const open = new Map<number, Message>();
  /** Messages that continue the work of others, with the number of the oldest message that may have sent them. */
  const continuations = new Map<Message, number>();
  const receipts = new Map<string, Message>();
  const seen = new Map<string, number>();
  const waiters: { upTo: number; resolve: (done: boolean) => void }[] = [];
  const stopping = new AbortController();
  let number = 0;

  const lanes = {
    changes: new Lanes<Message>(changesQueue.batchSize, take),
    mails: new Lanes<Message>(mailsQueue.batchSize, take),
  };

  function answer(incoming: IncomingMessage, body: string) {
    const operation = incoming.headers['x-amz-target'];
    if (operation === 'AmazonSQS.ChangeMessageVisibility') return change(JSON.parse(body));
    if (operation === 'AmazonSQS.DeleteMessageBatch') return remove(JSON.parse(body));
    if (operation !== 'AmazonSQS.SendMessageBatch')
      return refusal(400, 'UnsupportedOperation', `There is no ${String(operation)} here.`);
    const fault = nextFault();
    if (fault === 'hang') return fault;
    if (typeof fault === 'object' && 'status' in fault)
      return refusal(fault.status, fault.code, 'An injected fault.');
    const { data, error } = sending.safeParse(JSON.parse(body));
    if (!data) return refusal(400, 'InvalidParameterValue', z.prettifyError(error));
    const queue = queueOf(data.QueueUrl);
    if (!queue) return refusal(400, 'QueueDoesNotExist', `There is no ${data.QueueUrl} here.`);
    const bytes = data.Entries.reduce((sum, each) => sum + Buffer.byteLength(each.MessageBody), 0);
    if (bytes > maxBatch.bytes) return refusal(400, 'BatchRequestTooLong', 'More than a megabyte.');
    const refused = typeof fault === 'object' ? fault.refuse : [];
    const taken = data.Entries.map((each, place) =>
      refused.includes(place)
        ? { Id: each.Id, Code: 'InternalError', SenderFault: false, Message: 'An injected fault.' }
        : accept(queue, each),
    );
    const Successful = taken.filter((each) => 'MessageId' in each);
    const Failed = taken.filter((each) => 'Code' in each);
    return fault === 'lose' ? fault : { status: 200, body: { Successful, Failed } };
  }

  function accept(queue: QueueName, entry: z.output<typeof sending>['Entries'][number]) {
    const { Id, MessageBody: body, MessageGroupId: group, MessageDeduplicationId } = entry;
    const same = `${queue} ${group} ${MessageDeduplicationId}`;
    const now = Date.now();
    for (const [each, time] of seen) {
      if (time > now - remembered) break;
      seen.delete(each);
    }
    const message = { number, queue, id: randomUUID(), group, body, receives: 0, receipt: '' };
    if (!seen.has(same)) {
      seen.set(same, now);
      number += 1;
      const sent: Message = { ...message, pause: undefined, deleted: false };
      const [oldest = sent.number] = open.keys();
      open.set(sent.number, sent);
      if (isContinuation(group)) continuations.set(sent, oldest);
      void lanes[queue].put(group, sent);
    }
    const MD5OfMessageBody = createHash('md5').update(body).digest('hex');
    return { Id, MessageId: message.id, MD5OfMessageBody, SequenceNumber: `${message.number}` };
  }

  function end(message: Message): void {
    open.delete(message.number);
    continuations.delete(message);
    // In the order of their numbers. A message is not worked off before its continuation is.
    const [oldest = number] = open.keys();
    const next = Math.min(oldest, ...continuations.values());
    while (waiters[0] && waiters[0].upTo <= next) waiters.shift()?.resolve(true);
  }

  function change(body: unknown) {
    const { data, error } = changing.safeParse(body);
    if (!data) return refusal(400, 'InvalidParameterValue', z.prettifyError(error));
    const message = receipts.get(data.ReceiptHandle);
    if (!message || message.queue !== queueOf(data.QueueUrl))
      return refusal(400, 'ReceiptHandleIsInvalid', 'No message has it.');
    message.pause = data.VisibilityTimeout * 1_000;
    return { status: 200, body: {} };
  }

  function remove(body: unknown) {
    const { data, error } = deleting.safeParse(body);
    if (!data) return refusal(400, 'InvalidParameterValue', z.prettifyError(error));
    for (const { ReceiptHandle } of data.Entries) {
      const message = receipts.get(ReceiptHandle);
      if (message && message.queue === queueOf(data.QueueUrl)) message.deleted = true;
    }
    return {
      status: 200,
      body: { Successful: data.Entries.map(({ Id }) => ({ Id })), Failed: [] },
    };
  }

  /** Retries messages of a group until they are done; false if the queues close before. */
  async function take(messages: readonly Message[]): Promise<boolean> {
    const { signal } = stopping;
    let left = messages;
    for (let age = 0; !signal.aborted; ) {
      const notDone = await bring(left);
      for (const message of left) {
        receipts.delete(message.receipt);
        if (!notDone.has(message)) end(message);
      }
      left = left.filter((message) => notDone.has(message));
      const [first] = left;
      if (!first) return true;
      age += first.pause ?? forgotten;
      if (age > 1_000 * (takers.get(first.queue)?.retention ?? Infinity)) {
        onError?.(new Error(`A message of the ${first.queue} was dropped.`));
        end(first);
        left = left.slice(1);
      }
      const pause = Math.min(longestPause, first.pause ?? forgotten);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
    return false;
  }

  /** Invokes the consumer once. Returns those messages that are not done. */
  async function bring(messages: readonly Message[]): Promise<Set<Message>> {
    for (const message of messages) {
      message.receives += 1;
      message.receipt = randomUUID();
      message.pause = undefined;
      receipts.set(message.receipt, message);
    }
    const { taker } = takers.get(messages[0]?.queue ?? 'changes') ?? {};
    try {
      const answered = await taker?.({ Records: messages.map(toRecord) });
      const { batchItemFailures = [] } = (answered ?? {}) as Partial<SQSBatchResponse>;
      const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
      // Lambda treats an unknown identifier as a failure of the whole batch.
      const all = !taker || failed.some((id) => messages.every((message) => message.id !== id));
      return new Set(messages.filter(({ id }) => all || failed.includes(id)));
    } catch (error) {
      onError?.(error);
      return new Set(messages.filter(({ deleted }) => !deleted));
    }
  }

  const { endpoint, close } = await serveJson('application/x-amz-json-1.0', answer);
  return {
    endpoint,
    urlOf: (queue) => `${endpoint}/000000000000/${queue}.fifo`,
    feed: (queue, taker, retention = Infinity) => void takers.set(queue, { taker, retention }),
    waiting: () => open.size,
    workedOff() {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (open.size === 0) resolve(true);
      else waiters.push({ upTo: number, resolve });
      return promise;
    },
    ...failing,
    async close() {
      stopping.abort();
      close();
      await Promise.all([lanes.changes.rest(), lanes.mails.rest()]);
      for (const { resolve } of waiters.splice(0)) resolve(false);
    },
  };
}

/** The queue of a URL or an ARN. */
export const queueOf = (name: string): QueueName | undefined =>
  names.find((queue) => name.endsWith(`/${queue}.fifo`));

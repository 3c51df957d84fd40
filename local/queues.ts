import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { isContinuation, type QueueName } from '../shared/events/queue-sort.ts';
import { Lanes } from './lanes.ts';
import { jsonServer, listenOnLoopback } from './loopback.ts';
import { changing, maxBatch, sending } from './queue-protocol.ts';

/**
 * A simulated failure of a call: an error of the service, messages rejected by index, no response at all, or a
 * connection that breaks after the messages were accepted.
 */
export type QueueFault = { status: number; code: string } | { refuse: number[] } | 'hang' | 'lose';

/** Processes a message; its result or error tells whether the message is done. */
export type Taker = (event: SQSEvent) => Promise<unknown>;

export type Queues = {
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
  /** Makes the next calls to send fail. */
  failNext(fault: QueueFault, calls?: number): void;
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

type Message = {
  number: number;
  queue: QueueName;
  id: string;
  group: string;
  body: string;
  receives: number;
  receipt: string;
  /** Milliseconds before the retry, as set by the function that failed. */
  pause: number | undefined;
};

const names: readonly QueueName[] = ['changes', 'mails'];

/**
 * Serves the FIFO queues between the stream and its consumers with the protocol of SQS on a free loopback port, and
 * invokes the consumers like Lambda's mapping, one message at a time. Everything is in memory: a sender uses
 * `workedOff` to know what it would have to send again.
 */
export async function startQueues({
  longestPause = 90_000,
  onError,
}: Options = {}): Promise<Queues> {
  const takers = new Map<QueueName, { taker: Taker; retention: number }>();
  const faults: QueueFault[] = [];
  const open = new Map<number, Message>();
  /** Messages that continue the work of others, with the number of the oldest message that may have sent them. */
  const continuations = new Map<Message, number>();
  const receipts = new Map<string, Message>();
  const seen = new Map<string, number>();
  const waiters: { upTo: number; resolve: (done: boolean) => void }[] = [];
  const stopping = new AbortController();
  let number = 0;

  const lanes = new Lanes<Message>(1, ([message]) =>
    message ? take(message) : Promise.resolve(true),
  );
  const server = jsonServer('application/x-amz-json-1.0', answer);

  function answer(incoming: IncomingMessage, body: string) {
    const operation = incoming.headers['x-amz-target'];
    if (operation === 'AmazonSQS.ChangeMessageVisibility') return change(JSON.parse(body));
    if (operation !== 'AmazonSQS.SendMessageBatch')
      return refusal(400, 'UnsupportedOperation', `There is no ${String(operation)} here.`);
    const fault = faults.shift();
    if (fault === 'hang') return fault;
    if (typeof fault === 'object' && 'status' in fault)
      return refusal(fault.status, fault.code, 'As told.');
    const { data, error } = sending.safeParse(JSON.parse(body));
    if (!data) return refusal(400, 'InvalidParameterValue', z.prettifyError(error));
    const queue = queueOf(data.QueueUrl);
    if (!queue) return refusal(400, 'QueueDoesNotExist', `There is no ${data.QueueUrl} here.`);
    const bytes = data.Entries.reduce((sum, each) => sum + Buffer.byteLength(each.MessageBody), 0);
    if (bytes > maxBatch.bytes) return refusal(400, 'BatchRequestTooLong', 'More than a megabyte.');
    const refused = typeof fault === 'object' ? fault.refuse : [];
    const taken = data.Entries.map((each, place) =>
      refused.includes(place)
        ? { Id: each.Id, Code: 'InternalError', SenderFault: false, Message: 'As told.' }
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
      const sent: Message = { ...message, pause: undefined };
      const [oldest = sent.number] = open.keys();
      open.set(sent.number, sent);
      if (isContinuation(group)) continuations.set(sent, oldest);
      void lanes.put(`${queue} ${group}`, sent).then((done) => done && end(sent));
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

  /** Retries a message until it is done; false if the queues close before. */
  async function take(message: Message): Promise<boolean> {
    const { signal } = stopping;
    for (let age = 0; !signal.aborted; ) {
      const done = await bring(message);
      receipts.delete(message.receipt);
      if (done) return true;
      age += message.pause ?? forgotten;
      if (age > 1_000 * (takers.get(message.queue)?.retention ?? Infinity)) {
        onError?.(new Error(`A message of the ${message.queue} was dropped.`));
        return true;
      }
      const pause = Math.min(longestPause, message.pause ?? forgotten);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(over, pause);
        function over() {
          clearTimeout(timer);
          signal.removeEventListener('abort', over);
          resolve();
        }
        signal.addEventListener('abort', over);
      });
    }
    return false;
  }

  async function bring(message: Message): Promise<boolean> {
    message.receives += 1;
    message.receipt = randomUUID();
    message.pause = undefined;
    receipts.set(message.receipt, message);
    try {
      const answered = await takers.get(message.queue)?.taker({ Records: [toRecord(message)] });
      const { batchItemFailures = [] } = (answered ?? {}) as { batchItemFailures?: unknown[] };
      return takers.has(message.queue) && batchItemFailures.length === 0;
    } catch (error) {
      onError?.(error);
      return false;
    }
  }

  const endpoint = await listenOnLoopback(server);
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
    failNext: (fault, calls = 1) => void faults.push(...Array<QueueFault>(calls).fill(fault)),
    async close() {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      await lanes.rest();
      for (const { resolve } of waiters.splice(0)) resolve(false);
    },
  };
}

/** The queue of a URL or an ARN. */
export const queueOf = (name: string): QueueName | undefined =>
  names.find((queue) => name.endsWith(`/${queue}.fifo`));

function toRecord({ id, receipt, body, queue, group, number, receives }: Message): SQSRecord {
  const now = `${Date.now()}`;
  return {
    messageId: id,
    receiptHandle: receipt,
    body,
    attributes: {
      ApproximateReceiveCount: `${receives}`,
      SentTimestamp: now,
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: now,
      SequenceNumber: `${number}`,
      MessageGroupId: group,
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:local:000000000000:${queue}.fifo`,
    awsRegion: 'local',
  };
}

function refusal(status: number, code: string, message: string) {
  return { status, body: { __type: `com.amazonaws.sqs#${code}`, message } };
}

import {
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Queues, startQueues } from '../../local/aws/sqs.ts';
import { local } from '../support/local-calls.ts';

let queues: Queues;
let client: SQSClient;
let errors: unknown[];

beforeEach(async () => {
  errors = [];
  queues = await startQueues({ longestPause: 30, onError: (error) => errors.push(error) });
  client = new SQSClient({
    endpoint: queues.endpoint,
    ...local,
    maxAttempts: 1,
    requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
});
afterEach(async () => {
  client.destroy();
  await queues.close();
});

/** Sends messages of a group, each identified by its body. */
const send = (group: string, ...bodies: string[]) =>
  client.send(
    new SendMessageBatchCommand({
      QueueUrl: queues.urlOf('changes'),
      Entries: bodies.map((body, i) => ({
        Id: `${i}`,
        MessageBody: body,
        MessageGroupId: group,
        MessageDeduplicationId: body,
      })),
    }),
  );

const bodyOf = ({ Records }: SQSEvent) => Records[0]?.body ?? '';
const failed = { batchItemFailures: [{ itemIdentifier: 'x' }] };

const bodiesOf = ({ Records }: SQSEvent) => Records.map(({ body }) => body).join(' ');

test('delivers a group in batches of up to ten, one batch at a time; groups run in parallel', async () => {
  const given: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  queues.feed('changes', async (event) => {
    given.push(bodiesOf(event));
    if (bodyOf(event) === 'a1') await released;
  });
  await send('a', 'a1', 'a2', 'a3');
  await send('b', 'b1', 'b2');
  await expect.poll(() => given, { timeout: 20_000 }).toEqual(['a1 a2 a3', 'b1 b2']);
  await send('a', ...Array.from({ length: 9 }, (_, i) => `a${i + 4}`));
  await send('a', 'a13', 'a14');
  expect(queues.waiting()).toBe(14);
  release();
  expect(await queues.workedOff()).toBe(true);
  const behind = ['a4 a5 a6 a7 a8 a9 a10 a11 a12 a13', 'a14'];
  expect(given).toEqual(['a1 a2 a3', 'b1 b2', ...behind]);
  expect(queues.waiting()).toBe(0);
});

test('redelivers a failed message and those behind it until it succeeds; other groups continue', async () => {
  const given: string[] = [];
  queues.feed('changes', async (event) => {
    given.push(bodiesOf(event));
    const place = event.Records.findIndex(({ body }) => body === 'bad');
    const receives = Number(event.Records[place]?.attributes.ApproximateReceiveCount);
    if (place === -1 || receives > 3) return { batchItemFailures: [] };
    if (receives === 2) throw new Error('down');
    return {
      batchItemFailures: event.Records.slice(place).map(({ messageId: itemIdentifier }) => ({
        itemIdentifier,
      })),
    };
  });
  await send('a', 'good', 'bad', 'behind');
  await send('b', 'other');
  await queues.workedOff();
  expect(given.filter((bodies) => bodies !== 'other')).toEqual([
    'good bad behind',
    'bad behind',
    'bad behind',
    'bad behind',
  ]);
  expect(given.indexOf('other')).toBeLessThan(3);
  expect(errors).toEqual([new Error('down')]);
});

test('does not redeliver a message that the function deleted before it failed', async () => {
  const given: string[] = [];
  const QueueUrl = queues.urlOf('changes');
  queues.feed('changes', async (event) => {
    given.push(bodiesOf(event));
    const [{ receiptHandle } = { receiptHandle: '' }] = event.Records;
    if (given.length > 1) return;
    const Entries = [{ Id: '0', ReceiptHandle: receiptHandle }];
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    throw new Error('down');
  });
  await send('a', 'done', 'undone');
  await queues.workedOff();
  expect(given).toEqual(['done undone', 'undone']);
});

test('drops a message that fails for longer than the retention time, and delivers the next', async () => {
  const given: string[] = [];
  const taker = async (event: SQSEvent) => {
    given.push(bodyOf(event));
    return bodyOf(event) === 'bad' ? failed : undefined;
  };
  queues.feed('changes', taker, 3);
  await send('a', 'bad', 'behind');
  await queues.workedOff();
  expect(given).toEqual(['bad', 'bad', 'bad', 'bad', 'behind']);
  expect(errors).toEqual([new Error('A message of the changes was dropped.')]);
});

test('delivers a message sent twice to a group once', async () => {
  const given: string[] = [];
  queues.feed('changes', async (event) => void given.push(bodyOf(event)));
  for (let i = 0; i < 2; i += 1) await send('a', 'same');
  await send('b', 'same');
  await queues.workedOff();
  expect(given).toEqual(['same', 'same']);
});

test('a message is processed only when the messages it sent are processed', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const given: string[] = [];
  queues.feed('changes', async (event) => {
    const body = bodyOf(event);
    if (body === 'work') await send('a#1', 'rest');
    if (body === 'rest') await released;
    given.push(body);
  });
  await send('a', 'work');
  let all = false;
  const before = queues.workedOff().then(() => (all = true));
  await expect.poll(() => given, { timeout: 20_000 }).toEqual(['work']);
  await send('b', 'other');
  await expect.poll(() => given, { timeout: 20_000 }).toEqual(['work', 'other']);
  expect(all).toBe(false);
  release();
  await before;
  expect(given).toEqual(['work', 'other', 'rest']);
});

test('workedOff waits for messages sent before the call, not for later ones', async () => {
  const { promise: never, resolve } = Promise.withResolvers<void>();
  queues.feed('changes', async (event) => (bodyOf(event) === 'stuck' ? never : undefined));
  await send('a', 'one');
  const before = queues.workedOff();
  await send('b', 'stuck');
  expect(await before).toBe(true);
  let all = false;
  const later = queues.workedOff().then(() => (all = true));
  await send('c', 'two');
  expect(all).toBe(false);
  resolve();
  await later;
});

test('workedOff is false if the queues close with unprocessed messages', async () => {
  queues.feed('changes', async () => failed);
  await send('a', 'bad');
  const done = queues.workedOff();
  await queues.close();
  expect(await done).toBe(false);
});

test('injected faults: a refused entry, an error, a hang, and a lost connection', async () => {
  const given: string[] = [];
  queues.feed('changes', async (event) => void given.push(bodyOf(event)));
  queues.failNext({ refuse: [1] });
  const { Successful, Failed } = await send('a', 'first', 'second');
  expect([Successful?.map(({ Id }) => Id), Failed?.map(({ Id }) => Id)]).toEqual([['0'], ['1']]);
  queues.failNext({ status: 503, code: 'ServiceUnavailable' });
  await expect(send('a', 'third')).rejects.toThrow('An injected fault.');
  queues.failNext('hang');
  await expect(send('a', 'fourth')).rejects.toThrow(/timed out|timeout|No response/i);
  queues.failNext('lose');
  await expect(send('a', 'fifth')).rejects.toThrow('socket hang up');
  await queues.workedOff();
  expect(given).toEqual(['first', 'fifth']);
});

test('a function can set when its message comes again; an unknown receipt handle is refused', async () => {
  const QueueUrl = queues.urlOf('changes');
  const command = new ChangeMessageVisibilityCommand({
    QueueUrl,
    ReceiptHandle: 'unknown',
    VisibilityTimeout: 1,
  });
  await expect(client.send(command)).rejects.toThrow('No message has it.');
  let calls = 0;
  queues.feed('changes', async ({ Records }) => {
    calls += 1;
    if (calls > 1) return undefined;
    const ReceiptHandle = Records[0]?.receiptHandle;
    const answer = new ChangeMessageVisibilityCommand({
      ...{ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 },
    });
    await client.send(answer);
    return failed;
  });
  await send('a', 'one');
  await queues.workedOff();
  expect(calls).toBe(2);
});

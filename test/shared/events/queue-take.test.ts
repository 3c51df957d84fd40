/** @module-tag alone */
import { json } from 'node:stream/consumers';
import type { SQSRecord } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { queued } from '../../support/queued.ts';
import { serve } from '../../support/serve.ts';

/** The visibility changes requested from the queue. */
const asked: { VisibilityTimeout: number }[] = [];
/** The messages that it was asked to delete. */
const deleted: string[] = [];
const endpoint = await serve((incoming, response) => {
  void json(incoming).then((body) => {
    if (incoming.headers['x-amz-target'] === 'AmazonSQS.DeleteMessageBatch') {
      const { Entries } = body as { Entries: { ReceiptHandle: string }[] };
      deleted.push(...Entries.map(({ ReceiptHandle }) => ReceiptHandle));
    } else asked.push(body as { VisibilityTimeout: number });
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
});
const url = `${endpoint}/000000000000/changes.fifo`;
Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_SQS: endpoint,
});
const { takeMessages } = await import('#shared/events/queue-take.ts');

let done: string[];
beforeEach(() => {
  done = [];
  asked.length = 0;
  deleted.length = 0;
});

const message = (group: string, name: string, receives = 1): SQSRecord => {
  const [record] = queued([{ dynamodb: { SequenceNumber: name } }], receives).Records as [
    SQSRecord,
  ];
  const attributes = { ...record.attributes, MessageGroupId: group };
  return { ...record, receiptHandle: `receipt of ${name}`, attributes };
};
const take = (Records: SQSRecord[], bad: string[] = []) =>
  takeMessages(url, { Records }, async (messages) => {
    const names = messages.flat().map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
    const completed = names.findIndex((name) => bad.includes(name));
    done.push(...names.slice(0, completed === -1 ? undefined : completed));
    return completed === -1 ? names.length : completed;
  });

test('an unfinished message is retried with the later ones of its group, and no other', async () => {
  const records = [message('a', '1'), message('b', '2'), message('a', '3'), message('a', '4')];
  expect(await take(records, ['3'])).toEqual({
    batchItemFailures: [{ itemIdentifier: '3' }, { itemIdentifier: '4' }],
  });
  expect(done.toSorted()).toEqual(['1', '2']);
});

test('messages of one group are processed together, in order', async () => {
  const together: string[][] = [];
  const records = ['1', '2', '3'].map((name) => message('a', name));
  await takeMessages(url, { Records: [...records, message('b', '4')] }, async (messages, group) => {
    together.push([group, ...messages.flat().map(({ dynamodb }) => `${dynamodb?.SequenceNumber}`)]);
    return messages.length;
  });
  expect(together).toEqual([
    ['a', '1', '2', '3'],
    ['b', '4'],
  ]);
});

describe('a finished message is deleted before the invocation ends,', () => {
  test('if other groups are still working, so that its group need not wait', async () => {
    const others = Promise.withResolvers<number>();
    const taken = takeMessages(
      url,
      { Records: [message('quick', '1'), message('quick', '2'), message('slow', '3')] },
      async (messages, group) => (group === 'slow' ? others.promise : messages.length),
    );
    await vi.waitFor(() => expect(deleted).toEqual(['receipt of 1', 'receipt of 2']));
    others.resolve(1);
    expect(await taken).toEqual({ batchItemFailures: [] });
  });

  test('if a later message fails the invocation, which would repeat it', async () => {
    const records = [message('a', '1'), message('a', '2', 8)];
    await expect(take(records, ['2'])).rejects.toThrow('8 times');
    expect(deleted).toEqual(['receipt of 1']);
    expect(asked).toHaveLength(1);
  });

  test('and otherwise by Lambda', async () => {
    await take([message('a', '1'), message('a', '2')]);
    expect(deleted).toEqual([]);
  });
});

test('a message that is unfinished after eight attempts fails the invocation, which raises the alarm', async () => {
  await expect(take([message('a', '1', 8)], ['1'])).rejects.toThrow('8 times');
  expect(await take([message('a', '1', 8)])).toEqual({ batchItemFailures: [] });
});

test('an exception fails the invocation with its own cause', async () => {
  const { Records } = queued([]);
  const thrown = takeMessages(url, { Records }, async () => {
    throw new Error('a bug');
  });
  await expect(thrown).rejects.toThrow('a bug');
});

test('an unfinished message is retried later each time, within 90 s', async () => {
  for (const receives of [1, 2, 3, 7]) await take([message('a', '1', receives)], ['1']);
  for (const receives of [8, 500]) await take([message('a', '1', receives)], ['1']).catch(() => {});
  expect(asked.map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual([1, 2, 4, 64, 90, 90]);
  expect(asked[0]).toEqual({
    QueueUrl: url,
    ReceiptHandle: 'receipt of 1',
    VisibilityTimeout: 1,
  });
});

import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { SQSRecord } from 'aws-lambda';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { listenOnLoopback } from '../../../local/loopback.ts';
import { queued } from '../../support/queued.ts';

/** What was asked of the queue: when a message is to come again. */
const asked: { VisibilityTimeout: number }[] = [];
const server = createServer((incoming, response) => {
  void json(incoming).then((body) => {
    asked.push(body as { VisibilityTimeout: number });
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
});
const endpoint = await listenOnLoopback(server);
const url = `${endpoint}/000000000000/changes.fifo`;
Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_SQS: endpoint,
});
const { takeMessages } = await import('#shared/events/queue-take.ts');
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

let done: string[];
beforeEach(() => {
  done = [];
  asked.length = 0;
});

const message = (group: string, name: string, receives = 1): SQSRecord => {
  const [record] = queued([{ dynamodb: { SequenceNumber: name } }], receives).Records as [
    SQSRecord,
  ];
  return { ...record, attributes: { ...record.attributes, MessageGroupId: group } };
};
const take = (Records: SQSRecord[], bad: string[] = []) =>
  takeMessages(url, { Records }, async ([record]) => {
    const name = record?.dynamodb?.SequenceNumber ?? '';
    if (bad.includes(name)) return false;
    done.push(name);
    return true;
  });

test('what is not done comes again with what is behind it in its group, and no other', async () => {
  const records = [message('a', '1'), message('b', '2'), message('a', '3'), message('a', '4')];
  expect(await take(records, ['3'])).toEqual({
    batchItemFailures: [{ itemIdentifier: '3' }, { itemIdentifier: '4' }],
  });
  expect(done.toSorted()).toEqual(['1', '2']);
});

test('what is not done after eight times fails the invocation, so that an alarm tells of it', async () => {
  await expect(take([message('a', '1', 8)], ['1'])).rejects.toThrow('8 times');
  expect(await take([message('a', '1', 8)])).toEqual({ batchItemFailures: [] });
});

test('what throws fails the invocation with its own cause', async () => {
  const { Records } = queued([]);
  const thrown = takeMessages(url, { Records }, async () => {
    throw new Error('a bug');
  });
  await expect(thrown).rejects.toThrow('a bug');
});

test('it says when the message comes again: later each time, within 90 s', async () => {
  for (const receives of [1, 2, 3, 7]) await take([message('a', '1', receives)], ['1']);
  for (const receives of [8, 500]) await take([message('a', '1', receives)], ['1']).catch(() => {});
  expect(asked.map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual([1, 2, 4, 64, 90, 90]);
  expect(asked[0]).toEqual({
    QueueUrl: url,
    ReceiptHandle: 'none',
    VisibilityTimeout: 1,
  });
});

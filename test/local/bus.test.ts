import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { beforeEach, expect, test } from 'vitest';
import { type Bus, type Envelope, startBus } from '../../local/aws/eventbridge.ts';
import { local } from '../support/local-calls.ts';

let bus: Bus;
const failures: unknown[] = [];
beforeEach(async () => {
  failures.length = 0;
  bus = await startBus({ name: 'events', onError: (error) => failures.push(error) });
  return () => bus.close();
});

const client = (endpoint = bus.endpoint, requestTimeout = 5_000) =>
  new EventBridgeClient({
    endpoint,
    ...local,
    maxAttempts: 1,
    requestHandler: { requestTimeout, throwOnRequestTimeout: true },
  });
const entry = (number: number, more: object = {}) => ({
  EventBusName: 'events',
  Source: 'test',
  DetailType: 'user.created',
  Detail: JSON.stringify({ number }),
  ...more,
});
const put = (...entries: ReturnType<typeof entry>[]) =>
  client().send(new PutEventsCommand({ Entries: entries }));
const numbers = () => bus.put().map(({ detail }) => (detail as { number: number }).number);

test('accepts events from the SDK and delivers them in the envelope of EventBridge', async () => {
  const taken: Envelope[] = [];
  bus.subscribe(async (envelope) => taken.push(envelope));
  const { FailedEntryCount, Entries = [] } = await put(entry(1), entry(2));
  expect([FailedEntryCount, await bus.settled(), await bus.settled()]).toEqual([0, true, false]);
  expect(taken).toEqual(
    [1, 2].map((number, i) => ({
      version: '0',
      id: Entries[i]?.EventId,
      'detail-type': 'user.created',
      source: 'test',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'local',
      resources: [],
      detail: { number },
    })),
  );
  expect(bus.put()).toEqual(taken);
});

test('keeps only the configured number of newest events', async () => {
  const small = await startBus({ name: 'events', kept: 2 });
  for (const Entries of [[entry(1)], [entry(2), entry(3)]])
    await client(small.endpoint).send(new PutEventsCommand({ Entries }));
  expect(small.put().map(({ detail }) => detail)).toEqual([{ number: 2 }, { number: 3 }]);
  await small.close();
});

test('refuses single entries: injected failures, entries of another bus, and details that are not a JSON object', async () => {
  bus.failNext({ refuse: [1] });
  const first = await put(entry(1), entry(2), entry(3));
  expect(first.FailedEntryCount).toBe(1);
  expect(first.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'InternalFailure',
    undefined,
  ]);
  const second = await put(
    entry(4, { EventBusName: 'other' }),
    entry(5, { Detail: '[' }),
    entry(6),
  );
  expect(second.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
    'ResourceNotFoundException',
    'MalformedDetail',
    undefined,
  ]);
  expect(numbers()).toEqual([1, 3, 6]);
});

test('refuses a whole request with more than 10 entries or more than 256 KB', async () => {
  const name = 'ValidationException';
  await expect(put(...Array.from({ length: 11 }, (_, i) => entry(i)))).rejects.toMatchObject({
    name,
  });
  const Detail = JSON.stringify({ text: 'x'.repeat(130 * 1024) });
  await expect(put(entry(1, { Detail }), entry(2, { Detail }))).rejects.toMatchObject({ name });
  expect(numbers()).toEqual([]);
});

test('injected faults: an error response, a request that hangs, and a connection lost after the entry is stored', async () => {
  bus.failNext({ status: 500, code: 'InternalException' });
  await expect(put(entry(1))).rejects.toMatchObject({ name: 'InternalException' });
  bus.failNext('hang');
  const slow = client(bus.endpoint, 100).send(new PutEventsCommand({ Entries: [entry(2)] }));
  await expect(slow).rejects.toMatchObject({ name: 'TimeoutError' });
  bus.failNext('lose');
  await expect(put(entry(3))).rejects.toMatchObject({ code: 'ECONNRESET' });
  await put(entry(4));
  expect(numbers()).toEqual([3, 4]);
});

test('calls a failing target three times, as Lambda does, then reports the last error', async () => {
  let calls = 0;
  bus.subscribe(async () => {
    calls += 1;
    throw new Error(`call ${calls}`);
  });
  await put(entry(1));
  await bus.settled();
  expect(calls).toBe(3);
  expect(failures).toEqual([new Error('call 3')]);
});

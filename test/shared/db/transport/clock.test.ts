import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLeanClient } from '#shared/db/transport/client.ts';
import { createClock } from '#shared/db/transport/clock.ts';
import { serve as serveHttp } from '../../../support/serve.ts';

const minutes = 60_000;

/** A server whose clock is ahead. Like DynamoDB, it rejects requests signed more than five minutes off. */
async function serve(ahead: () => number, code = 'InvalidSignatureException') {
  const calls: number[] = [];
  const endpoint = await serveHttp((request, response) => {
    const now = Date.now() + ahead();
    const signed = String(request.headers['x-amz-date']);
    const form = /(....)(..)(..)T(..)(..)(..)Z/;
    const off = Date.parse(signed.replace(form, '$1-$2-$3T$4:$5:$6Z')) - now;
    calls.push(Math.round(off / minutes) || 0);
    response.setHeader('date', new Date(now).toUTCString());
    if (Math.abs(off) < 5 * minutes) response.writeHead(200).end('{"Item":{"pk":{"S":"a"}}}');
    else response.writeHead(400).end(`{"__type":"com.amazon.coral.service#${code}"}`);
  }, onTestFinished);
  const credentials = { accessKeyId: 'A', secretAccessKey: 's' };
  const client = createLeanClient({ endpoint, region: 'local', credentials });
  const get = () => client.send(new GetItemCommand({ TableName: 'T', Key: { pk: { S: 'a' } } }));
  return { calls, get };
}

test.each([17 * minutes, -17 * minutes])(
  'a clock that is %d ms off is corrected once, at the first refusal',
  async (ahead) => {
    const { calls, get } = await serve(() => ahead);
    for (let i = 0; i < 3; i += 1) expect((await get()).Item).toEqual({ pk: { S: 'a' } });
    expect(calls).toEqual([-ahead / minutes, 0, 0, 0]);
  },
);

test('calls in progress during the correction are retried too', async () => {
  const { calls, get } = await serve(() => 17 * minutes);
  for (const { Item } of await Promise.all([get(), get(), get()]))
    expect(Item).toEqual({ pk: { S: 'a' } });
  expect(calls.toSorted((a, b) => a - b)).toEqual([-17, -17, -17, 0, 0, 0]);
});

test('a clock that changes is corrected again', async () => {
  let ahead = 17 * minutes;
  const { calls, get } = await serve(() => ahead);
  await get();
  ahead = -60 * minutes;
  await get();
  expect(calls).toEqual([-17, 0, 77, 0]);
});

test('a request is sent at most twice, whatever time the server returns', async () => {
  let ahead = 0;
  const { calls, get } = await serve(() => (ahead += 17 * minutes));
  await expect(get()).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  expect(calls).toHaveLength(2);
});

test('a request refused for another reason is not retried, whatever time the server returns', async () => {
  const { calls, get } = await serve(() => 17 * minutes, 'ValidationException');
  await expect(get()).rejects.toMatchObject({ name: 'ValidationException' });
  expect(calls).toHaveLength(1);
});

test('only a refusal because of the time corrects the clock, if it differs by the tolerance or more', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const body = Buffer.from('RequestTimeTooSkewed');
  const corrects = (off: number | undefined, statusCode = 400) => {
    const date = off === undefined ? undefined : new Date(Date.now() + off).toUTCString();
    return createClock().corrects({ statusCode, headers: { date }, body }, new Date());
  };
  expect([corrects(5 * minutes), corrects(-5 * minutes)]).toEqual([true, true]);
  expect([corrects(5 * minutes - 1_000), corrects(0), corrects(undefined)]).not.toContain(true);
  expect([corrects(17 * minutes, 200), corrects(0, 200)]).not.toContain(true);
});

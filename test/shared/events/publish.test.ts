/** @module-tag alone */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as Publishing from '#shared/events/publish.ts';
import type { Event } from '#shared/model/events.ts';
import { type Bus, startBus } from '../../../local/aws/eventbridge.ts';
import type * as Requests from '../../support/request.ts';

/** The SDK's own attempts of one call. */
const tries = 3;

let bus: Bus;
let publish: typeof Publishing.publish;
let request: typeof Requests.request;
beforeEach(async () => {
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'local');
  vi.stubEnv('EVENT_BUS', 'events');
  bus = await startBus({ name: 'events' });
  // The client reads it on creation.
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', bus.endpoint);
  vi.resetModules();
  ({ publish } = await import('#shared/events/publish.ts'));
  // From the same module instances.
  ({ request } = await import('../../support/request.ts'));
  return () => bus.close();
});

const events = ['evt-1', 'evt-2'].map((id) => ({ id, type: 'user.created' }) as unknown as Event);
const published = () => bus.put().map(({ detail }) => (detail as Event).id);
const inTime = (milliseconds = 20_000) => request(() => publish(events), milliseconds);

describe('a call that is refused as a whole', () => {
  test.each([
    { status: 400, code: 'ThrottlingException' },
    { status: 429, code: 'TooManyRequestsException' },
    { status: 500, code: 'InternalException' },
  ])('$code: is retried, and each event is published once', async (fault) => {
    bus.failNext(fault, tries + 1);
    await inTime();
    expect(published()).toEqual(['evt-1', 'evt-2']);
  });

  test('permanently: is not retried', async () => {
    bus.failNext({ status: 400, code: 'AccessDeniedException' });
    await expect(inTime()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(published()).toEqual([]);
  });

  test('until the deadline: fails, so that the message is retried', async () => {
    bus.failNext({ status: 400, code: 'ThrottlingException' }, 1_000);
    await expect(inTime(1_500)).rejects.toBeInstanceOf(Error);
    expect(published()).toEqual([]);
  });
});

test('refused entries are retried without the others', async () => {
  bus.failNext({ refuse: [1] });
  await inTime();
  expect(published()).toEqual(['evt-1', 'evt-2']);
});

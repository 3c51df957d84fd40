/** @module-tag alone */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { isPublished } from '#shared/workspaces/domains/dns.ts';
import { startNameServer } from '../../support/name-server.ts';

const server = await startNameServer();
afterAll(() => server.close());
afterEach(() => {
  server.behave('answers');
});

const record = { type: 'TXT', name: '_here.example.com', value: 'the value' } as const;

test('a record is published if one of its name has exactly its value', async () => {
  server.publish(record.name, 'v=spf1 -all', 'the value');
  expect(await isPublished(record)).toBe(true);
  expect(server.queries).toEqual([record.name]);
  server.publish(record.name, 'the value ', 'value', 'The value');
  expect(await isPublished(record)).toBe(false);
});

test('a record is not published if there is no such name or record, or the name is too long', async () => {
  expect(await isPublished({ ...record, name: 'nothing.example.com' })).toBe(false);
  server.publish(record.name);
  expect(await isPublished(record)).toBe(false);
  const long = `${'a'.repeat(64)}.example.com`;
  expect(await isPublished({ ...record, name: long })).toBe(false);
});

test.each(['fails', 'is silent'] as const)(
  'a lookup is temporarily unavailable if the server %s',
  async (behaviour) => {
    server.publish(record.name, record.value);
    server.behave(behaviour);
    await expect(isPublished(record)).rejects.toMatchObject({
      ...{ code: 'temporarily_unavailable', retryAfter: 5 },
      // On a busy machine the overall timeout may come before that of the last query.
      cause: expect.objectContaining({
        code: expect.stringMatching(/^E(SERVFAIL|TIMEOUT|CANCELLED)$/),
      }),
    });
  },
);

test('a value of more than one piece is joined', async () => {
  server.publish(record.name, ['the ', 'value'] as unknown as string);
  expect(await isPublished(record)).toBe(true);
});

test('several silent servers share one timeout', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      return socket;
    }),
  );
  const alone = process.env['DNS_SERVERS'];
  process.env['DNS_SERVERS'] = sockets.map((each) => `127.0.0.1:${each.address().port}`).join();
  await expect(isPublished(record)).rejects.toMatchObject({
    cause: expect.objectContaining({ code: 'ECANCELLED' }),
  });
  process.env['DNS_SERVERS'] = alone;
  for (const socket of sockets) socket.close();
});

test('no timer is left after the response', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.publish(record.name, record.value);
  expect(await isPublished(record)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

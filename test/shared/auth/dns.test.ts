import { afterAll, afterEach, expect, test } from 'vitest';
import { isPublished } from '#shared/auth/dns.ts';
import { startNameServer } from '../../support/name-server.ts';

const server = await startNameServer();
afterAll(() => server.close());
afterEach(() => server.behave('answers'));

const record = { type: 'TXT', name: '_here.example.com', value: 'the value' } as const;

test('a record is published where one of its name has the very value', async () => {
  server.publish(record.name, 'v=spf1 -all', 'the value');
  expect(await isPublished(record)).toBe(true);
  expect(server.asked).toEqual([record.name]);
  server.publish(record.name, 'the value ', 'value', 'The value');
  expect(await isPublished(record)).toBe(false);
});

test('and not where there is no such name, no such record, or can be none', async () => {
  expect(await isPublished({ ...record, name: 'nothing.example.com' })).toBe(false);
  server.publish(record.name);
  expect(await isPublished(record)).toBe(false);
  const long = `${'a'.repeat(64)}.example.com`;
  expect(await isPublished({ ...record, name: long })).toBe(false);
});

test.each(['fails', 'is silent'] as const)(
  'nobody knows where the server %s',
  async (behaviour) => {
    server.publish(record.name, record.value);
    server.behave(behaviour);
    await expect(isPublished(record)).rejects.toMatchObject({
      ...{ code: 'temporarily_unavailable', retryAfter: 5 },
      cause: expect.objectContaining({ code: expect.stringMatching(/^E(SERVFAIL|TIMEOUT)$/) }),
    });
  },
);

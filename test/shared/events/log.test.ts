/** @module-tag engine */
import { expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { readNewest } from '#shared/events/log.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { pass } from '../../support/started.ts';

const faults = await openFaultyTable();

const soon = Math.floor(Date.now() / 1_000) + 600;

/** A log of this many events, each with its number. */
async function seed(partition: string, count: number, filler = '', expired = 0): Promise<string> {
  await faults.seed(
    Array.from({ length: count }, (_, i) => ({
      ...keys.logEntry(partition, i + 1),
      event: JSON.stringify({ id: i + 1, filler }),
      expires_at: i < expired ? soon - 700 : soon,
    })),
  );
  await faults.seed([{ ...keys.logHead(partition), number: count }]);
  faults.reset();
  return partition;
}

const read = async (partition: string, most = { events: 5_000, bytes: 4_000_000 }) => {
  const { events, more } = await request(() => readNewest(partition, most), 20_000);
  return { ids: events.map(({ id }) => Number(id)), more };
};
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('a whole log is read, oldest first, over all its pages', async () => {
  expect(await read(await seed('whole', 450))).toEqual({ ids: numbers(1, 450), more: false });
  expect(faults.operations()).toEqual(Array.from({ length: 10 }, () => 'Query'));
  expect(await read('none')).toEqual({ ids: [], more: false });
});

test('the newest events of a longer log are read, limited by number or bytes', async () => {
  const log = await seed('many', 300);
  expect(await read(log, { events: 250, bytes: 1e6 })).toEqual({
    ids: numbers(51, 300),
    more: true,
  });
  expect(await read(log, { events: 300, bytes: 1e6 })).toEqual({
    ids: numbers(1, 300),
    more: false,
  });
  const large = await seed('large', 50, 'x'.repeat(50_000));
  expect(await read(large, { events: 300, bytes: 501_000 })).toEqual({
    ids: numbers(41, 50),
    more: true,
  });
});

test('expired events that are not deleted yet are neither returned nor counted as more', async () => {
  const log = await seed('old', 20, '', 15);
  expect(await read(log)).toEqual({ ids: numbers(16, 20), more: false });
});

test('as many events are read as the time allows', async () => {
  const log = await seed('slow', 450);
  let queries = 0;
  faults.inject(
    async ({ forward, response }) => {
      const { status, text } = await forward();
      queries += 1;
      if (queries === 2) pass(19_500);
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
    },
    { times: 3 },
  );
  const found = await read(log);
  vi.useRealTimers();
  expect(found).toEqual({ ids: numbers(351, 450), more: true });
});

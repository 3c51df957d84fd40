/** @module-tag engine */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { removeItem } from '#shared/db/transaction.ts';
import { appendEvents } from '#shared/events/append.ts';
import { followFeed, listFeed, positionBefore } from '#shared/events/feed.ts';
import { getFeedHead } from '#shared/events/log.ts';
import type { Event } from '#shared/model/events.ts';
import { answer } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
let project_id = '';
let count = 0;
const begin = Date.parse('2026-03-01T12:00:00.000Z');

beforeEach(() => {
  project_id = `p${randomUUID()}`;
  count = 0;
  vi.useFakeTimers({ toFake: ['Date'] });
});
/** Sets the clock to this many seconds after the start. */
const at = (seconds: number) => vi.setSystemTime(begin + seconds * 1_000);
const inTime = <T>(work: () => Promise<T>) => request(work, 3_600_000);

/** Appends an event with separate times of occurrence, of the invocation's start, and of the write. */
async function append(happened: number, times: { began: number; writes: number }): Promise<string> {
  count += 1;
  const event: Event = {
    id: `evt-${count}`,
    type: 'user.updated',
    time: new Date(begin + happened * 1_000).toISOString(),
    project_id,
    actor: { kind: 'service', id: 'x' },
    data: {},
  };
  const partition = `USER#${project_id}-${count}`;
  const step = {
    ...{ partition, seen: undefined, told: 1, number: 1, recent: [], missing: [] },
    ...{ deleted: false, totals: undefined },
  };
  at(times.began);
  await inTime(async () => {
    const feed = await getFeedHead(project_id);
    at(times.writes);
    const events = [{ partition, number: 1, event }];
    await appendEvents(project_id, events, [step], feed);
  });
  return event.id;
}

/** Makes a page of the feed show the state before a transaction that ends while the page is in transit. */
const seenBefore = (places: number[], work = () => Promise.resolve()) =>
  faults.inject(
    async ({ forward, response }) => {
      const { status, text } = await forward();
      const page = JSON.parse(text) as { Items: { sk: { S: string } }[] };
      const hidden = places.map((place) => keys.feedEntry(project_id, place).sk);
      const Items = page.Items.filter(({ sk }) => !hidden.includes(sk.S));
      await work();
      return answer(response, {
        status,
        text: JSON.stringify({ ...page, Items, Count: Items.length }),
      });
    },
    { when: ({ operation }) => operation === 'Query' },
  );
const quiet = 91 * 86_400;
const expire = (...places: number[]) =>
  inTime(async () => {
    for (const place of places) await removeItem(keys.feedEntry(project_id, place));
  });
const idsOf = ({ events }: { events: { event: { id: string } }[] }) =>
  events.map(({ event }) => event.id);

/** The events that a reader finds when searching from a time. */
const since = (seconds: number) =>
  inTime(async () => {
    const after = await positionBefore(project_id, begin + seconds * 1_000);
    const { events } = await listFeed(project_id, after, 100);
    return events.map(({ event }) => event.id);
  });

test('an event that was recorded before that of a slow invocation is found by its time', async () => {
  const fast = await append(88, { began: 89, writes: 89 });
  const slow = await append(-1, { began: 0, writes: 91 });
  const last = await append(94, { began: 95, writes: 95 });
  expect(await since(80)).toEqual([fast, slow, last]);
});

test('an event recorded by a clock that was behind is found by its time', async () => {
  const early = await append(0, { began: 0, writes: 0 });
  const event = await append(200, { began: 150, writes: 150 });
  at(205);
  expect(await since(200)).toEqual([event]);
  expect(await since(0)).toEqual([early, event]);
});

test('events recorded more than a minute before are skipped', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 20; i += 1) ids.push(await append(i * 100, { began: 0, writes: i * 100 }));
  for (const i of [0, 7, 19]) expect(await since(i * 100 + 60)).toEqual(ids.slice(i));
  for (const i of [0, 7, 19]) expect(await since(i * 100 + 61)).toEqual(ids.slice(i + 1));
  expect(await since(-1_000)).toEqual(ids);
});

test('an empty feed has no event at any time', async () => {
  expect(await since(0)).toEqual([]);
});

test('a recent gap before the entries of slow invocations ends a page', async () => {
  await append(0, { began: 0, writes: 200 });
  const second = await append(1, { began: 0, writes: 201 });
  const page = async () => {
    // A query may see a transaction before all of the one before it.
    seenBefore([1]);
    const { events, next, more } = await inTime(() => listFeed(project_id, 0, 100));
    return { ids: events.map(({ event }) => event.id), next, more };
  };
  at(205);
  expect(await page()).toEqual({ ids: [], next: 0, more: true });
  at(262);
  expect(await page()).toEqual({ ids: [second], next: 2, more: false });
});

test('a gap of expired entries is skipped immediately, even before a new entry', async () => {
  for (const time of [0, 1, 2]) await append(time, { began: time, writes: time });
  const fourth = await append(quiet, { began: quiet, writes: quiet });
  await expire(1, 2, 3);
  const page = (after: number) => inTime(() => listFeed(project_id, after, 100));
  const whole = await page(0);
  expect([idsOf(whole), whole.next, whole.more, whole.expired]).toEqual([[fourth], 4, false, 3]);
  expect(await page(2)).toMatchObject({ next: 4, more: false, expired: 1 });
  const fifth = await append(quiet, { began: quiet, writes: quiet });
  const sixth = await append(quiet, { began: quiet, writes: quiet });
  // The entry before the gap expires first, so none of the gap has.
  seenBefore([5]);
  expect(await page(3)).toMatchObject({ next: 4, more: true, expired: 0 });
  seenBefore([4, 5]);
  expect(await page(2)).toMatchObject({ next: 2, more: true, expired: 0 });
  expect(idsOf(await page(4))).toEqual([fifth, sixth]);
});

test('a cursor behind which everything has expired continues at the end, without skipping an event in progress', async () => {
  for (const time of [0, 1, 2]) await append(time, { began: time, writes: time });
  const page = (after: number) => inTime(() => followFeed(project_id, after, 100));
  expect(await page(3)).toEqual({ events: [], next: 3, more: false, expired: 0 });
  expect(await page(4)).toBeUndefined();
  await expire(1, 2, 3);
  at(quiet);
  expect(await page(1)).toEqual({ events: [], next: 3, more: false, expired: 2 });
  let fourth = '';
  for (const after of [1, 3]) {
    seenBefore([4], async () => {
      fourth ||= await append(quiet, { began: quiet, writes: quiet });
    });
    expect(await page(after)).toEqual({ events: [], next: after, more: true, expired: 0 });
  }
  const found = await page(3);
  expect(found && idsOf(found)).toEqual([fourth]);
});

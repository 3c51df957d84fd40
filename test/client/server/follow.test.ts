import { describe, expect, test } from 'vitest';
import type { Batch } from '../../../client/server.ts';
import { startWorld } from '../../support/world.ts';
import { placeIn, take, usersIn } from './follow-place.ts';

const world = await startWorld();
const place = () => placeIn(world);

describe('the feed', () => {
  test('delivers events in batches, in order, and continues with new ones', async () => {
    const { stop, stored, follow, add } = await place();
    const uids = await add(5);
    const batches = follow({ limit: 2 });
    const taken: Batch[] = [await take(batches), await take(batches), await take(batches)];
    expect(taken.map(usersIn)).toEqual([uids.slice(0, 2), uids.slice(2, 4), uids.slice(4)]);
    expect(taken.map(({ position }) => position)).toEqual(['2', '4', '5']);
    const next = take(batches);
    const later = await add(1);
    expect(usersIn(await next)).toEqual(later);
    stop.abort();
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    expect(stored.saves).toEqual([
      ['2', '0'],
      ['4', '2'],
      ['5', '4'],
      ['6', '5'],
    ]);
  });

  test('saves the position when the next batch is requested, so unprocessed events come again', async () => {
    const { stored, follow, add } = await place();
    const uids = await add(3);
    const first = follow({ limit: 1 });
    await take(first);
    expect(stored.saves).toEqual([]);
    await take(first);
    expect(stored.saves).toEqual([['1', '0']]);
    await first.return();
    expect(stored.saves).toEqual([['1', '0']]);
    const failing = (async () => {
      for await (const batch of follow({ limit: 1 })) throw new Error(usersIn(batch).join(' '));
    })();
    await expect(failing).rejects.toThrow(uids[1]);
    const again: unknown[] = [];
    for await (const batch of follow({ limit: 1 })) {
      again.push(...usersIn(batch));
      if (again.length === 2) break;
    }
    expect(again).toEqual(uids.slice(1));
    expect(stored.position).toBe('2');
  });

  test('starts at a number, and works without save', async () => {
    const { follow, add } = await place();
    const uids = await add(3);
    const batches = follow({ cursor: { load: async () => 1 }, limit: 1 });
    expect(usersIn(await take(batches))).toEqual([uids[1]]);
    expect(usersIn(await take(batches))).toEqual([uids[2]]);
    await batches.return();
  });

  test('ends with the error of the cursor store', async () => {
    const { follow, add, line } = await place();
    await add(2);
    const save = () => Promise.reject(new Error('disk full'));
    const batches = follow({ cursor: { load: async () => undefined, save }, limit: 1 });
    await take(batches);
    await expect(batches.next()).rejects.toThrow('disk full');
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    expect(line.asked).toHaveLength(1);
    const load = () => Promise.reject(new Error('no disk'));
    await expect(follow({ cursor: { load } }).next()).rejects.toThrow('no disk');
  });

  test('reports how many events have expired', async () => {
    const { line, follow, stored, project, add } = await place();
    await add(3);
    const { body: page } = await world.as(project).events.list({});
    const answers = [
      { ...page, result: page.result.slice(2), expired: 2, more: true },
      { count: 0, result: [], next_cursor: '9', more: false, expired: 6 },
    ];
    line.answer = async () => Response.json(answers.shift());
    const batches = follow();
    expect(await take(batches)).toEqual({
      events: page.result.slice(2),
      position: '3',
      expired: 2,
    });
    expect(await take(batches)).toEqual({ events: [], position: '9', expired: 6 });
    expect(stored.position).toBe('3');
    await batches.return();
  });

  test('pauses between requests while an event is still being written', async () => {
    const { line, follow, stop } = await place();
    line.answer = async () => Response.json({ count: 0, result: [], next_cursor: '0', more: true });
    const ended = follow({ interval: 50 }).next();
    await new Promise((resolve) => setTimeout(resolve, 220));
    stop.abort();
    expect(await ended).toEqual({ done: true, value: undefined });
    expect(line.asked.length).toBeGreaterThan(1);
    expect(line.asked.length).toBeLessThan(7);
  });
});

test('the log of a workspace is delivered as events', async () => {
  const { project, follow } = await place();
  const owner = await world.user({ project });
  const workspace = await world.workspace({ owner });
  const { workspace_id } = workspace;
  await world.member(workspace);
  await world.drainStream();
  const { events, position } = await take(follow({ workspace_id }));
  expect([events.map(({ type }) => type), position]).toEqual([
    ['workspace.created', 'workspace.member.added'],
    '2',
  ]);
  expect(new Set(events.map((event) => event.workspace_id))).toEqual(new Set([workspace_id]));
});

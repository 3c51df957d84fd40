import { describe, expect, test } from 'vitest';
import { createBackend } from '../../../client/server.ts';
import { startWorld } from '../../support/world.ts';
import { type Answer, placeIn, take, usersIn } from './follow-place.ts';

const world = await startWorld();
const place = () => placeIn(world);

describe('a failure', () => {
  const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify({ status, code, detail: '', request_id: '' }), {
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    });
  const passing: Record<string, Answer> = {
    '429': async () => problem(429, 'too_many_requests'),
    '503': async () => problem(503, 'temporarily_unavailable'),
    '502 of a proxy': async () => new Response('<html>', { status: 502 }),
    'no connection': () => Promise.reject(new TypeError('fetch failed')),
    'a truncated response': async () =>
      new Response('{"resu', { headers: { 'content-type': 'application/json' } }),
  };
  test.each(Object.entries(passing))('is retried: %s', async (_, failing) => {
    const { line, follow, add } = await place();
    const uids = await add(1);
    const failures: unknown[] = [];
    line.answer = (genuine) => (line.asked.length > 3 ? genuine() : failing(genuine));
    const batches = follow({ onFailure: (failure) => failures.push(failure) });
    expect(usersIn(await take(batches))).toEqual(uids);
    expect(failures.length).toBeGreaterThan(0);
    await batches.return();
  });

  test('is retried after increasing pauses', async () => {
    const { line, follow, stop } = await place();
    // Not the error that Node throws for a failed connection: the client itself does not retry it.
    line.answer = () => Promise.reject(new Error('Network connection lost.'));
    const failed: number[] = [];
    const ended = follow({ onFailure: () => failed.push(performance.now()) }).next();
    while (failed.length < 6) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    await ended;
    expect(line.asked).toHaveLength(6);
    // 40 ms, doubled with each failure; jitter leaves at least half of it.
    for (let i = 1; i < 6; i += 1) {
      const pause = (failed[i] ?? 0) - (failed[i - 1] ?? 0);
      expect(pause).toBeGreaterThan(20 * 2 ** (i - 1) - 2);
      expect(pause).toBeLessThan(40 * 2 ** (i - 1) + 200);
    }
  });

  test('is retried only after Retry-After', async () => {
    const { line, follow, stop } = await place();
    line.answer = async () => problem(429, 'too_many_requests', { 'retry-after': '11' });
    const ended = follow().next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    stop.abort();
    await ended;
    expect(line.asked).toHaveLength(1);
  });

  test('that is permanent ends following: a position ahead of the feed', async () => {
    const { follow, stored } = await place();
    stored.position = 7;
    await expect(follow().next()).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'invalid_request',
    });
  });
});

describe('the signal', () => {
  const expectSoon = async (ended: Promise<unknown>, stop: AbortController) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const before = performance.now();
    stop.abort();
    expect(await ended).toEqual({ done: true, value: undefined });
    expect(performance.now() - before).toBeLessThan(250);
  };

  test('ends a pause immediately', async () => {
    const { follow, stop } = await place();
    await expectSoon(follow({ interval: 60_000 }).next(), stop);
  });

  test('ends the pause after a failure immediately', async () => {
    const { follow, stop, line } = await place();
    line.answer = () => Promise.reject(new TypeError('fetch failed'));
    await expectSoon(follow({ interval: 60_000 }).next(), stop);
  });

  test('ends a request immediately', async () => {
    const { stop, project, cursor } = await place();
    const { project_id: projectId, secret } = project;
    const slow = createBackend({
      url: world.url,
      projectId,
      secret,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        }),
    });
    const failures: unknown[] = [];
    const onFailure = (failure: unknown) => failures.push(failure);
    const { signal } = stop;
    await expectSoon(slow.events.follow({ cursor, signal, onFailure }).next(), stop);
    expect(failures).toEqual([]);
  });

  test('that is already aborted prevents any request', async () => {
    const { follow, stop, line } = await place();
    stop.abort();
    expect(await follow().next()).toEqual({ done: true, value: undefined });
    expect(line.asked).toEqual([]);
  });
});

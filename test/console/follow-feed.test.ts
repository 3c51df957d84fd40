import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { followFeed } from '../../console/ui/follow-feed.ts';

/** The requests of the event view within this time. */
async function askedIn(milliseconds: number, next: (after: string) => [string, boolean]) {
  const asked: string[] = [];
  const abort = new AbortController();
  const following = followFeed('0', {
    read: async (after) => {
      await sleep(1);
      asked.push(after);
      const [next_cursor, more] = next(after);
      return { result: [], next_cursor, more };
    },
    onPage: () => {},
    interval: 60_000,
    signal: abort.signal,
  });
  await sleep(milliseconds);
  abort.abort();
  await expect(following).rejects.toThrow('aborted');
  return asked;
}

test('reads available pages without a pause', async () => {
  const asked = await askedIn(300, (after) => [
    String(Math.min(3, Number(after) + 1)),
    after < '2',
  ]);
  expect(asked).toEqual(['0', '1', '2']);
});

test('pauses before an event that is still being written: more is true, but the cursor does not move', async () => {
  expect(await askedIn(300, (after) => [after, true])).toEqual(['0']);
});

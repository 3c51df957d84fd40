import type { Event } from '../../client/generated/api.ts';

type Page = { result: Event[]; next_cursor: string; more: boolean };
type Options = {
  read: (after: string, signal: AbortSignal) => Promise<Page>;
  onPage: (page: Page) => void;
  /** Milliseconds between two looks when there is nothing new. */
  interval: number;
  signal: AbortSignal;
};

/** Hands on the pages of a feed behind a position as they come. Rejects with what stops it. */
export async function followFeed(
  after: string,
  { read, onPage, interval, signal }: Options,
): Promise<never> {
  for (let position = after; ; ) {
    const page = await read(position, signal);
    signal.throwIfAborted();
    const hasMoved = page.next_cursor !== position;
    position = page.next_cursor;
    onPage(page);
    // A page may end before an event that is just being written: then there is more, but not yet.
    if (!page.more || !hasMoved) await pause(interval, signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** What the components need of a page: the types of the DOM are not there in every compilation. */
type BrowserPage = {
  location: { hash: string; host: string; href: string; reload(): void };
  history: { state: unknown; replaceState(state: unknown, title: string, url?: string): void };
  document: {
    body: unknown;
    activeElement: unknown;
    createElement(name: 'a'): { href: string; download: string; click(): void };
  };
  /** No clipboard where a page came by http from afar. */
  navigator: { onLine: boolean; clipboard?: { writeText(text: string): Promise<void> } };
  addEventListener(type: PageEvent, listener: () => void): void;
  removeEventListener(type: PageEvent, listener: () => void): void;
};

type PageEvent = 'focus' | 'hashchange' | 'online';

/** The page, in what runs in a browser alone. */
export const pageOf = (): BrowserPage => (globalThis as unknown as { window: BrowserPage }).window;

/** Listens to a change of the fragment: a link that is opened in the same tab loads nothing. */
export function onFragment(listener: () => void): () => void {
  const page = pageOf();
  page.addEventListener('hashchange', listener);
  return () => page.removeEventListener('hashchange', listener);
}

/** Waits, or until the device has a connection again, or the signal aborts. */
export function untilOnline(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const page = pageOf();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      page.removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    page.addEventListener('online', end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

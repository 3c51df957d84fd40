import type { BrowserPage } from './address.ts';

function historyOf() {
  const page = globalThis as unknown as BrowserPage & { window?: BrowserPage };
  return (page.window ?? page).history;
}

/** The name under which the link of a mail is kept until it is used. */
export const linkEntry = 'identity-workspace link';

/** What the entry of the history keeps under a name: a reload, and a way back, find it there. */
export const keptIn = <Value>(name: string): Value | undefined =>
  (historyOf().state as Record<string, Value | undefined> | null)?.[name];

/**
 * Keeps a value, or none, in the entry of the history, beside what the application has there for itself.
 * @param href the address of the page, which then loses its fragment. A path alone may begin with two slashes, and
 *   would be another host.
 */
export function keep(name: string, value?: unknown, href?: string): void {
  const history = historyOf();
  const { state } = history;
  const next = typeof state === 'object' ? { ...state, [name]: value } : state;
  history.replaceState(next, '', href?.split('#')[0]);
}

/** Keeps the link of a mail no longer. Another one, opened meanwhile, stays. */
export function forgetLink(link_id: string | undefined): void {
  if (keptIn<{ link_id: string }>(linkEntry)?.link_id === link_id) keep(linkEntry);
}

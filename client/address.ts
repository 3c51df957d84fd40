/** What is used of a page in a browser: the types of the DOM are not there in every compilation. */
export type BrowserPage = {
  location: { href: string; search: string; hash: string; assign(to: string): void };
  history: { state: unknown; replaceState(state: unknown, unused: string, to?: string): void };
  addEventListener?(type: 'pageshow', listener: (event: Shown) => void): void;
  removeEventListener?(type: 'pageshow', listener: (event: Shown) => void): void;
};
type Shown = { persisted: boolean };

/** Milliseconds after which the page counts as not left: the person has stopped it, or an app took the address. */
const leaving = 10_000;

/** Takes fields out of the query of this page, so that neither the history nor a screenshot has them. */
export function takeFromAddress(names: readonly string[]): void {
  const { location, history } = globalThis as unknown as BrowserPage;
  // Whole: a path may begin with two slashes, and alone it would be another host.
  const url = new URL(location.href);
  for (const name of names) url.searchParams.delete(name);
  history.replaceState(history.state, '', url.href);
}

/**
 * Leaves this page. Resolves only if it is shown again as it was left, as after a step back in the history, or is still
 * there after 10 seconds.
 */
export function leaveFor(to: string): Promise<void> {
  const page = globalThis as unknown as BrowserPage;
  page.location.assign(to);
  return new Promise((resolve) => {
    const end = () => {
      page.removeEventListener?.('pageshow', show);
      clearTimeout(timer);
      resolve();
    };
    const show = ({ persisted }: Shown) => persisted && end();
    page.addEventListener?.('pageshow', show);
    const timer = setTimeout(end, leaving);
  });
}

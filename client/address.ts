/** The parts of a page that are used. */
export type Page = {
  location: { search: string; pathname: string; hash: string; assign(to: string): void };
  history: { state: unknown; replaceState(state: unknown, unused: string, to: string): void };
};

/** Takes fields out of the query of this page, so that neither the history nor a screenshot has them. */
export function takeFromAddress(names: readonly string[]): void {
  const { location, history } = globalThis as unknown as Page;
  const rest = new URLSearchParams(location.search);
  for (const name of names) rest.delete(name);
  // Not by its `size`, which Safari has from 17 on.
  const query = `${rest}` && `?${rest}`;
  history.replaceState(history.state, '', location.pathname + query + location.hash);
}

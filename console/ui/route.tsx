import { Anchor, type AnchorProps } from '@mantine/core';
import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react';

/** The address of the page, which names everything that it shows: each view can be linked to and left with "back". */

const navigation = new EventTarget();

/** Goes to another address of the console. `replace`: the one before it is not worth going back to. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  navigation.dispatchEvent(new Event('move'));
}

function listen(onMove: () => void): () => void {
  addEventListener('popstate', onMove);
  navigation.addEventListener('move', onMove);
  return () => {
    removeEventListener('popstate', onMove);
    navigation.removeEventListener('move', onMove);
  };
}

export const useAddress = (): string =>
  useSyncExternalStore(listen, () => location.pathname + location.search);

/** A field of the query, and how it is set: the others stay, except where a page of a list no longer fits. */
export function useQuery(): [URLSearchParams, (fields: Record<string, string>) => void] {
  const address = useAddress();
  const query = new URLSearchParams(address.split('?')[1] ?? '');
  const set = (fields: Record<string, string>) => {
    const next = new URLSearchParams(query);
    next.delete('cursor');
    for (const [name, value] of Object.entries(fields))
      if (value === '') next.delete(name);
      else next.set(name, value);
    const search = next.toString();
    // Each character of a search would be a step back; a page of a list is one.
    go(location.pathname + (search && `?${search}`), { replace: !('cursor' in fields) });
  };
  return [query, set];
}

type LinkProps = AnchorProps & { href: string; children: ReactNode };

/** A link within the console. With a modifier it opens another tab, as links do. */
export const Link = ({ href, children, ...props }: LinkProps) => (
  <Anchor {...props} href={href} onClick={(event) => follow(event, href)}>
    {children}
  </Anchor>
);

export function follow(event: MouseEvent, href: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0)
    return;
  event.preventDefault();
  go(href);
}

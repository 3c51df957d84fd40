import type { ComponentType } from 'preact';
import { Loading, Retry, useList } from './list.tsx';

type LaterProps<Props> = { load: () => Promise<ComponentType<Props>>; of: Props };

/** A part of a page that is a file of its own, so that the page comes before it. */
export function Later<Props extends object>({ load, of }: LaterProps<Props>) {
  const { items, state, failure } = useList('', async () => ({
    items: [await load()],
  }));
  const [Part] = items;
  if (Part) return <Part {...of} />;
  if (state !== 'failed') return <Loading />;
  // A browser does not ask again for a script that has not come, unless the page is loaded anew.
  return <Retry failure={failure} onRetry={() => location.reload()} />;
}

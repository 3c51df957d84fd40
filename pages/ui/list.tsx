import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { nextCursor } from '../../client/pages.ts';
import { wordsFor } from '../failures.ts';
import { t } from '../texts.ts';

/** A page of a list. `next`: the cursor of the one that follows. */
type Page<Each> = {
  items: readonly Each[];
  total?: number | undefined;
  next?: string | undefined;
};

const none = { items: [] };

/** Reads a list page by page. `key`: another one is another list. `version`: with another one it is read anew. */
export function useList<Each>(
  key: string,
  load: (cursor?: string) => Promise<Page<Each>>,
  version?: string,
) {
  /** The pages that are shown, as one. */
  const [shown, setShown] = useState<Page<Each>>(none);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [failure, setFailure] = useState<unknown>();
  /** Counts the readings: the answer to an earlier one comes too late. */
  const reading = useRef(0);
  /** The last reading, which another try repeats. */
  const lastRead = useRef<() => Promise<void>>(async () => {});

  /** How many rows are shown. */
  const rowCount = useRef(0);
  rowCount.current = shown.items.length;

  /** Reads the rows that follow, at least as many as are asked for, and shows them at once. */
  const read = async (previousRows: readonly Each[], cursor?: string, least = 0) => {
    reading.current += 1;
    const ownReading = reading.current;
    lastRead.current = () => read(previousRows, cursor, least);
    setState('loading');
    try {
      let page = await load(cursor);
      const rows = [...previousRows, ...page.items];
      while (rows.length < least && page.next !== undefined && ownReading === reading.current) {
        page = await load(page.next);
        rows.push(...page.items);
      }
      if (ownReading !== reading.current) return;
      setShown({ ...page, items: rows });
      setState('ready');
    } catch (error) {
      if (ownReading !== reading.current) return;
      setFailure(error);
      setState('failed');
    }
  };
  /** Reads the list anew, as far as it is shown: a row that somebody has just changed stays, and with it the focus. */
  const refresh = () => read([], undefined, rowCount.current);
  const lastKey = useRef<string>(undefined);
  useEffect(() => {
    if (lastKey.current !== key) {
      rowCount.current = 0;
      setShown(none);
    }
    lastKey.current = key;
    void refresh();
    return () => {
      reading.current += 1;
    };
  }, [key, version]);

  return {
    ...shown,
    state,
    failure,
    hasMore: shown.next !== undefined,
    showMore: () => read(shown.items, shown.next),
    refresh,
    /** Tries again what has failed. */
    retry: () => lastRead.current(),
  };
}

/** Asks for a page: a short one first, then the largest that the service has. A list may have a thousand rows. */
export const pageAt = (cursor?: string) => ({ cursor, limit: cursor === undefined ? 20 : 100 });

/** A page of a list in the shape of `useList`, from an answer whose Link header leads on. */
export const pageOf = <Each,>(items: readonly Each[], headers: Headers, total?: number) => ({
  items,
  total,
  next: nextCursor(headers),
});

type ListProps<Each> = {
  list: ReturnType<typeof useList<Each>>;
  /** Said if there is nothing. */
  empty: string;
  keyOf: (each: Each) => string;
  children: (each: Each) => ComponentChildren;
};

/** A list with what may follow, or what went wrong. */
export function List<Each>({ list, empty, keyOf, children }: ListProps<Each>) {
  const { items, state, failure, retry } = list;
  return (
    <>
      {items.length > 0 && (
        <ul class="list">
          {items.map((each) => (
            <li key={keyOf(each)}>{children(each)}</li>
          ))}
        </ul>
      )}
      {state === 'loading' && items.length === 0 && <Loading />}
      {state === 'ready' && items.length === 0 && <p class="quiet">{empty}</p>}
      {state === 'failed' && <Retry failure={failure} onRetry={retry} />}
      {state !== 'failed' && <More list={list} />}
    </>
  );
}

/** Shows the next page. It stays while that is on its way, so that the focus does. */
export function More({
  list,
}: {
  list: Pick<ReturnType<typeof useList>, 'state' | 'hasMore' | 'showMore'>;
}) {
  const { state, hasMore, showMore } = list;
  return hasMore ? (
    <button
      type="button"
      class="secondary"
      aria-busy={state === 'loading'}
      onClick={() => state === 'ready' && showMore()}
    >
      {t('showMore')}
    </button>
  ) : null;
}

/** A button in a list of other ways to go on. */
export const Way = (props: { onClick: () => void; children: ComponentChildren }) => (
  <li>
    <button type="button" class="plain" onClick={props.onClick}>
      {props.children}
    </button>
  </li>
);

export const Loading = () => (
  <p role="status" aria-busy="true">
    {t('loading')}
  </p>
);

export function Retry({ failure, onRetry }: { failure: unknown; onRetry: () => unknown }) {
  return (
    <div role="alert">
      <p class="wrong">{wordsFor(failure)}</p>
      <button type="button" class="secondary" onClick={() => void onRetry()}>
        {t('again')}
      </button>
    </div>
  );
}

/** Reads a single value. */
export function useLoaded<Data>(key: string, load: () => Promise<Data>) {
  const list = useList(key, async () => ({ items: [await load()] }));
  const [data] = list.items;
  const fallback =
    list.state === 'failed' ? <Retry failure={list.failure} onRetry={list.refresh} /> : <Loading />;
  return { data, fallback, refresh: list.refresh };
}

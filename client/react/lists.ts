import type { ApiError } from '../api-error.ts';
import type { Auth } from '../auth.ts';

/** A list as a component shows it. */
export type Listed<Data> = {
  /** Undefined until it is there, and when the user may no longer see it. */
  data: Data | undefined;
  /** Why the newest request failed: `ApiError`, or what `fetch` throws. */
  error: unknown;
  loading: boolean;
};

export type Load<Data> = (api: Auth['api'], signal: AbortSignal) => Promise<Data>;

type Entry = {
  state: Listed<unknown>;
  listeners: Set<() => void>;
  load: Load<unknown>;
  request?: AbortController;
  result?: Promise<void>;
};

export type Lists = ReturnType<typeof openLists>;

export const nothingYet: Listed<never> = { data: undefined, error: undefined, loading: true };

/** An answer of the service that a later question would get too. That of a proxy says nothing of the list. */
export const isRefusal = ({ status = 500, requestId }: Partial<ApiError>): boolean =>
  !!requestId && status < 500 && status !== 429;

/** What the components of one user show: each list is asked for once for all of them, and dropped with the last. */
export function openLists({ api }: Pick<Auth, 'api'>, uid: string) {
  const entries = new Map<string, Entry>();
  let closed = false;

  function show(entry: Entry, state: Listed<unknown>): void {
    entry.state = state;
    for (const listener of [...entry.listeners]) listener();
  }

  /** Asks anew. An answer to an earlier question may be older than what the caller has just changed. */
  function ask(entry: Entry): Promise<void> {
    entry.request?.abort();
    const request = new AbortController();
    entry.request = request;
    if (!entry.state.loading) show(entry, { ...entry.state, loading: true });
    const settle = (data: unknown, error?: unknown) => {
      if (!request.signal.aborted) show(entry, { data, error, loading: false });
      // Callers that wait for a request that was replaced wait for the new one.
      return entry.request === request ? undefined : entry.result;
    };
    entry.result = entry
      .load(api, request.signal)
      .then(settle, (error: unknown) =>
        settle(isRefusal(error as Partial<ApiError>) ? undefined : entry.state.data, error),
      );
    return entry.result;
  }

  return {
    uid,
    peek: <Data>(key: string): Listed<Data> =>
      (entries.get(key)?.state as Listed<Data> | undefined) ?? nothingYet,
    /** Asks for the list, unless somebody watches it already, and calls the listener after every change. */
    watch(key: string, load: Load<unknown>, listener: () => void): () => void {
      if (closed) return () => {};
      const entry: Entry = entries.get(key) ?? { state: nothingYet, listeners: new Set(), load };
      // One that has asked for nothing is new.
      if (!entry.request) {
        entries.set(key, entry);
        void ask(entry);
      }
      entry.listeners.add(listener);
      return () => {
        entry.listeners.delete(listener);
        // StrictMode stops and starts again at once, which is no reason to ask twice.
        queueMicrotask(() => {
          if (entry.listeners.size > 0 || entries.get(key) !== entry) return;
          entries.delete(key);
          entry.request?.abort();
        });
      };
    },
    /** Resolves when the list is there again, or could not be had; it never rejects. */
    async refresh(key: string): Promise<void> {
      const entry = entries.get(key);
      if (entry) await ask(entry);
    },
    refreshAll(): void {
      for (const entry of entries.values()) void ask(entry);
    },
    /** Ends every request; no answer is shown any more. */
    close(): void {
      closed = true;
      for (const { request } of entries.values()) request?.abort();
      entries.clear();
    },
  };
}

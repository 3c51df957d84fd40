import { useEffect, useState } from 'react';

export type Loaded<T> = {
  /** The newest answer, also while the next one is under way. */
  data: T | undefined;
  failure: unknown;
  busy: boolean;
  reload: () => void;
};

/** Loads something, and again when its key changes; what is no longer wanted is aborted, and never shown. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ key: string; data?: T; failure?: unknown; busy: boolean }>({
    key,
    busy: true,
  });
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({
      key,
      busy: true,
      ...(before.data !== undefined && { data: before.data }),
    }));
    load(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setState({ key, data, busy: false });
      },
      (failure: unknown) => {
        if (!abort.signal.aborted) setState({ key, failure, busy: false });
      },
    );
    return () => abort.abort();
  }, [key, round]);
  const { data, failure } = state;
  return {
    data,
    failure,
    busy: state.busy || state.key !== key,
    reload: () => setRound((before) => before + 1),
  };
}

import { useEffect, useState } from 'react';

export type Loaded<T> = {
  /** The newest answer, also while the next one is under way, and where the same could not be had again. */
  data: T | undefined;
  failure: unknown;
  busy: boolean;
  reload: () => void;
  /** Waits for a change, and then loads again. */
  after: (change: Promise<unknown>) => Promise<void>;
};

type State<T> = {
  key: string;
  busy: boolean;
  failure?: unknown;
  answer?: { key: string; data: T } | undefined;
};

/** Loads something, and again when its key changes; what is no longer wanted is aborted, and never shown. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<T>>({ key, busy: true });
  useEffect(() => {
    const abort = new AbortController();
    setState(({ answer }) => ({ key, busy: true, answer }));
    load(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setState({ key, busy: false, answer: { key, data } });
      },
      (failure: unknown) => {
        if (abort.signal.aborted) return;
        setState(({ answer }) => ({
          key,
          busy: false,
          failure,
          // A dialog on it may be open, with a secret that is shown this once.
          answer: answer?.key === key ? answer : undefined,
        }));
      },
    );
    return () => abort.abort();
  }, [key, round]);
  const reload = () => setRound((before) => before + 1);
  return {
    data: state.answer?.data,
    failure: state.failure,
    busy: state.busy || state.key !== key,
    reload,
    async after(change) {
      await change;
      reload();
    },
  };
}

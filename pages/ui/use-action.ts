import { useRef, useState } from 'preact/hooks';

/** Runs one action at a time, and knows what went wrong with the last. */
export function useAction() {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, failure };
}

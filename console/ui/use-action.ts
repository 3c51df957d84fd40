import { useRef, useState } from 'react';

/** Something that changes data: one at a time, and its failure is kept until the next one. */
export function useAction() {
  // A second click comes before the first has rendered.
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  /** Resolves with whether it has worked. */
  async function run(work: () => Promise<unknown>): Promise<boolean> {
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
  }
  return { busy, failure, run, clear: () => setFailure(undefined) };
}

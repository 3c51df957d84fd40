import { useState } from 'react';

/** Something that changes data: one at a time, and its failure is kept until the next one. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  /** Resolves with whether it has worked. */
  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { busy, failure, run, clear: () => setFailure(undefined) };
}

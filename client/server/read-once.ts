import { unlessAborted } from '../pause.ts';

/** Milliseconds after which a read is given up that has neither ended nor failed: its instance was frozen, its owner ended. */
const lost = 10_000;

/** Asks a secret store once for all, and again after a failure, or in place of a read that hangs. */
export function readOnce(read: () => Promise<string>): () => Promise<string> {
  let pendingRead: { at: number; result: Promise<string>; isRead?: true } | undefined;
  return () => {
    if (!pendingRead || (!pendingRead.isRead && Math.abs(Date.now() - pendingRead.at) >= lost)) {
      const attempt: typeof pendingRead = { at: Date.now(), result: read() };
      pendingRead = attempt;
      attempt.result.then(
        () => {
          attempt.isRead = true;
        },
        () => {
          if (pendingRead === attempt) pendingRead = undefined;
        },
      );
    }
    // The timer is of this call: that of a request which has ended may never fire.
    return unlessAborted(pendingRead.result, AbortSignal.timeout(lost));
  };
}

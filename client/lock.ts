/** Milliseconds: as long as a page that is awake waits for an answer. */
const longestWait = 30_000;

/**
 * Does the work while no other page of this browser has the lock. Without `navigator.locks`, as
 * in pages that came by http, and where the browser denies it with all data of sites, several pages may at once: the
 * work gets `false`. So it does after a long wait: a page that the browser has frozen keeps its lock.
 */
export async function withLock<T>(name: string, work: (locked: boolean) => Promise<T>): Promise<T> {
  let begun: boolean | undefined;
  try {
    return await navigator.locks.request(name, { signal: AbortSignal.timeout(longestWait) }, () => {
      begun = true;
      return work(true);
    });
  } catch (error) {
    if (begun) throw error;
    return work(false);
  }
}

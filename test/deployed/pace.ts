/** Runs pieces of work one after another. */
export type Pace = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * One request at a time: the service gives each call to the table half a second, and the emulator, one Python process
 * that starts a Node process for every function, takes longer for concurrent requests.
 */
export function oneAtATime(): Pace {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}

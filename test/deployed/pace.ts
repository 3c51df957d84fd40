/** Lets one piece of work begin when the one before it has ended. */
export type Pace = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * One request at a time: the service gives each call to the table half a second, and the emulator, which is one Python
 * process and starts a Node process for every function, needs longer under more.
 */
export function oneAtATime(): Pace {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}

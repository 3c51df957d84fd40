const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Milliseconds in which a second signal belongs to the same Ctrl-C: the terminal sends it to npm and to this process,
 * and npm forwards its own. Otherwise the copy would cut off the shutdown that the first one began.
 */
const sameCtrlC = 1_000;

/** Calls `first` at the first Ctrl-C or signal that ends a process, and `again` at a later one, until disposed. */
export function onInterruption(first: () => void, again: () => void): Disposable {
  let since: number | undefined;
  const hear = () => {
    const now = performance.now();
    if (since === undefined) {
      since = now;
      first();
    } else if (now - since > sameCtrlC) again();
  };
  for (const each of signals) process.on(each, hear);
  return {
    [Symbol.dispose]() {
      for (const each of signals) process.off(each, hear);
    },
  };
}

type Target<T> = (payload: T) => Promise<unknown>;

/** Attempts of an asynchronous invocation, as in Lambda. */
const tries = 3;

/** Delivers payloads to targets, with up to three attempts each, and knows when all deliveries have ended. */
export function startDeliveries<T>(onError: (error: unknown) => void = () => {}) {
  const targets: Target<T>[] = [];
  const underWay = new Set<Promise<void>>();
  let deliveries = 0;
  let reported = 0;

  async function attempt(target: Target<T>, payload: T): Promise<void> {
    for (let tried = 1; ; tried += 1)
      try {
        return void (await target(payload));
      } catch (error) {
        if (tried === tries) return onError(error);
      }
  }

  return {
    /** Also delivers every payload from now on to this target. */
    subscribe: (target: Target<T>): void => void targets.push(target),
    /** Delivers a payload to every target. */
    deliver(payload: T): void {
      for (const target of targets) {
        deliveries += 1;
        const delivery = attempt(target, payload).finally(() => underWay.delete(delivery));
        underWay.add(delivery);
      }
    },
    /**
     * Resolves when the targets have processed, or failed, every payload; with whether there were new payloads since
     * the last call.
     */
    async settled(): Promise<boolean> {
      while (underWay.size > 0) await Promise.all(underWay);
      const moved = deliveries > reported;
      reported = deliveries;
      return moved;
    },
  };
}

type Target<T> = (payload: T) => Promise<unknown>;

/** How often an asynchronous invocation is tried, as by Lambda. */
const tries = 3;

/** Hands payloads to targets, which are tried three times each, and knows when all of that is over. */
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
    /** Hands every payload from now on to this target too. */
    subscribe: (target: Target<T>): void => void targets.push(target),
    /** Hands a payload to every target. */
    deliver(payload: T): void {
      for (const target of targets) {
        deliveries += 1;
        const delivery = attempt(target, payload).finally(() => underWay.delete(delivery));
        underWay.add(delivery);
      }
    },
    /** Resolves when the targets have taken, or failed, all of it; with whether it was more than the last time. */
    async settled(): Promise<boolean> {
      while (underWay.size > 0) await Promise.all(underWay);
      const moved = deliveries > reported;
      reported = deliveries;
      return moved;
    },
  };
}

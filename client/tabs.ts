import { openChannel } from './channel.ts';
import { withLock } from './lock.ts';
import { sleep } from './pause.ts';
import type { Pair } from './token-pair.ts';

/** What tabs tell one another: a pair, the end of a session, or with neither a question for the pair. */
export type Message = { pair?: Pair; ended?: Pick<Pair, 'id' | 'since'>; reason?: string };

/** Milliseconds, in which the next tab receives the message of this one. */
const delivery = 20;

/** The other tabs of this browser that use the same name. */
export const joinTabs = (name: string, enabled: boolean, hear: (message: Message) => void) => ({
  ...openChannel(name, enabled, hear),
  /** Works while no other tab does, where there are locks. */
  alone: <T>(work: () => Promise<T>): Promise<T> =>
    enabled
      ? withLock(name, async (locked) => {
          const result = await work();
          if (locked) await sleep(delivery);
          return result;
        })
      : work(),
});

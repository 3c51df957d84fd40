import { openChannel } from '../channel.ts';
import { withLock } from '../lock.ts';

/**
 * The pages of this browser that share the cookie. `hear` is called for a change by another page: with the reason why
 * the session ended, or with undefined when a new one has begun.
 */
export function joinTabs(
  path: string,
  enabled: boolean,
  hear: (reason: string | undefined) => void,
) {
  const name = `auth ${path}`;
  const { tell, close } = openChannel<{ ended: string | undefined }>(name, enabled, ({ ended }) =>
    hear(ended),
  );
  let queue: Promise<unknown> = Promise.resolve();
  return {
    tell: (reason?: string): void => tell({ ended: reason }),
    /**
     * Does the work after all that was asked for before, and while no other page does its own: an answer that came late
     * would put an old cookie in the place of a new one. Where there are no locks other pages may, and the work gets
     * `false`.
     */
    alone<T>(work: (locked: boolean) => Promise<T>): Promise<T> {
      const run = () => (enabled ? withLock(name, work) : work(true));
      const result = queue.then(run, run);
      queue = result;
      return result;
    },
    close,
  };
}

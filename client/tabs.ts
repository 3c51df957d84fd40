import { withLock } from './lock.ts';
import type { Pair } from './token-pair.ts';

/** What tabs tell one another: a pair, the end of a session, or with neither a question for the pair. */
export type Message = { pair?: Pair; ended?: Pick<Pair, 'id' | 'since'>; reason?: string };

/** The other tabs of this browser that use the same name. Without `BroadcastChannel` there are none. */
export function joinTabs(name: string, enabled: boolean, hear: (message: Message) => void) {
  let channel: InstanceType<typeof BroadcastChannel> | undefined;
  if (enabled && 'BroadcastChannel' in globalThis) {
    channel = new BroadcastChannel(name);
    channel.addEventListener('message', (event) =>
      hear((event as unknown as { data: Message }).data),
    );
    // In Node an open channel would keep the process alive.
    (channel as { unref?: () => void }).unref?.();
  }
  return {
    open: channel !== undefined,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    tell: (message: Message): void => channel?.postMessage(message),
    /** Works while no other tab does, where there are locks. */
    alone: <T>(work: () => Promise<T>): Promise<T> =>
      enabled
        ? // Milliseconds, in which the next tab receives the message of this one.
          withLock(name, work, () => new Promise((resolve) => setTimeout(resolve, 20)))
        : work(),
    close(): void {
      channel?.close();
      channel = undefined;
    },
  };
}

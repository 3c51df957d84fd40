import type { BrowserPage } from './address.ts';
import { isPage } from './storage.ts';

/**
 * What pages of this browser with the same name tell one another; `hear` gets what another one tells. Without
 * `BroadcastChannel` there is no other.
 * @param shown called when the page is shown again as it was left, as by a step back: it has heard of nothing meanwhile
 */
export function openChannel<Message>(
  name: string,
  enabled: boolean,
  hear: (message: Message) => void,
  shown: () => void,
) {
  let channel: InstanceType<typeof BroadcastChannel> | undefined;
  if (enabled && 'BroadcastChannel' in globalThis) {
    channel = new BroadcastChannel(name);
    channel.addEventListener('message', (event) =>
      hear((event as unknown as { data: Message }).data),
    );
    // In Node an open channel would keep the process alive.
    (channel as { unref?: () => void }).unref?.();
  }
  // Not in a worker, whose global outlives what is created in it for each request.
  const page = isPage() ? (globalThis as unknown as BrowserPage) : undefined;
  const show = ({ persisted }: { persisted: boolean }) => persisted && shown();
  page?.addEventListener?.('pageshow', show);
  return {
    open: channel !== undefined,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    tell: (message: Message): void => channel?.postMessage(message),
    close(): void {
      channel?.close();
      channel = undefined;
      page?.removeEventListener?.('pageshow', show);
    },
  };
}

/**
 * What pages of this browser with the same name tell one another; `hear` gets what another one tells. Without
 * `BroadcastChannel` there is no other.
 */
export function openChannel<Message>(
  name: string,
  enabled: boolean,
  hear: (message: Message) => void,
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
  return {
    open: channel !== undefined,
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    tell: (message: Message): void => channel?.postMessage(message),
    close(): void {
      channel?.close();
      channel = undefined;
    },
  };
}

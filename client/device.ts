/** What a sign-in on a device that has signed somebody in sends along. */
export type KnownDevice = { device_token?: string | undefined };

/**
 * Keeps the `device_token` of a project in this browser, beyond the sign-out, so that no mail calls it a new device
 * elsewhere. It signs nobody in. Where the browser blocks its storage, the device is as new as its place.
 */
export function rememberDevice(projectId: string) {
  const name = `device ${projectId}`;
  return {
    /** What a sign-in sends along. */
    known(): KnownDevice {
      try {
        return { device_token: localStorage.getItem(name) ?? undefined };
      } catch {
        return {};
      }
    },
    /** Keeps what the answer to a sign-in says. */
    keep({ device_token }: KnownDevice): void {
      try {
        if (device_token) localStorage.setItem(name, device_token);
      } catch {}
    },
  };
}

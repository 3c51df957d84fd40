import { projectId } from './address.ts';

/** That this browser has signed somebody in, beyond the sign-out. It signs nobody in. */
const key = `device ${projectId}`;

/** What a sign-in sends along, so that no mail calls this browser a new device elsewhere. */
export function deviceToken(): { device_token?: string } {
  try {
    const device_token = localStorage.getItem(key);
    return device_token === null ? {} : { device_token };
  } catch {
    // The browser blocks it: then the device is as new as its place.
    return {};
  }
}

/** Keeps what the answer to a sign-in says. */
export function keepDeviceToken({ device_token }: { device_token?: string | undefined }): void {
  try {
    if (device_token !== undefined) localStorage.setItem(key, device_token);
  } catch {}
}

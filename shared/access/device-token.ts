import { createHmac, timingSafeEqual } from 'node:crypto';

/** A device that has signed a user in. */
export type KnownDevice = { uid: string; device: string };

/** The name of a device has 14 characters; in 0.12.0 it had 8. */
const form = /^dt_([0-9a-f-]{36})_([\w-]{8}|[\w-]{14})\.([A-Za-z0-9_-]{43})$/;

/**
 * The token by which a device says later that it has signed the user in. It signs nobody in: it only spares the user
 * the mail about a new device. Deterministic, so that a response can be repeated.
 */
export function makeDeviceToken({ uid, device }: KnownDevice, secret: Buffer): string {
  const content = `dt_${uid}_${device}`;
  return `${content}.${mac(content, secret).toString('base64url')}`;
}

/** What a token says, or undefined if the service did not sign it: then the device is as one that has none. */
export function readDeviceToken(
  token: string | undefined,
  secret: Buffer,
): KnownDevice | undefined {
  const [, uid, device, tag] = form.exec(token ?? '') ?? [];
  if (!uid || !device || !tag) return undefined;
  const signed = timingSafeEqual(Buffer.from(tag, 'base64url'), mac(`dt_${uid}_${device}`, secret));
  return signed ? { uid, device } : undefined;
}

/** The secret signs refresh tokens too, whose content begins with `rt_`: neither is ever taken for the other. */
const mac = (content: string, secret: Buffer): Buffer =>
  createHmac('sha256', secret).update(content).digest();

import type { KeyObject } from 'node:crypto';
import { deriveText } from '../model/hmac.ts';
import { equalInConstantTime } from '../model/ids.ts';

/** A device that has signed a user in. */
export type KnownDevice = { uid: string; device: string };

/** The name of a device has 14 characters; in 0.12.0 it had 8. */
const form = /^dt_([0-9a-f-]{36})_([\w-]{8}|[\w-]{14})\.([A-Za-z0-9_-]{43})$/;

/**
 * The token by which a device says later that it has signed the user in. It signs nobody in: it only spares the user
 * the mail about a new device. Deterministic, so that a response can be repeated.
 */
export function makeDeviceToken({ uid, device }: KnownDevice, secret: KeyObject): string {
  const content = contentOf(uid, device);
  return `${content}.${deriveText(content, secret)}`;
}

/** What a token says, or undefined if the service did not sign it: then the device is as one that has none. */
export function readDeviceToken(
  token: string | undefined,
  secret: KeyObject,
): KnownDevice | undefined {
  const [, uid, device, tag] = form.exec(token ?? '') ?? [];
  if (!uid || !device || !tag) return undefined;
  const isSigned = equalInConstantTime(tag, deriveText(contentOf(uid, device), secret));
  return isSigned ? { uid, device } : undefined;
}

/** The secret signs refresh tokens too, whose content begins with `rt_`: neither is ever taken for the other. */
const contentOf = (uid: string, device: string): string => `dt_${uid}_${device}`;

import { createHmac } from 'node:crypto';

/** The key that a secret's text is, as the stack makes it: at least 32 characters, or it is none. */
export const derivingKey = (text: string): Buffer | undefined =>
  text.length >= 32 ? Buffer.from(text) : undefined;

/** 256 bits that follow from a name and the key alone. Names begin with what they are of, so none is two things. */
export function derive(what: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(what).digest();
}

/** The same in base64url. */
export const deriveText = (what: string, key: Buffer): string =>
  derive(what, key).toString('base64url');

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The key from a secret's text: at least 32 characters, otherwise undefined. */
export const derivingKey = (text: string): KeyObject | undefined =>
  text.length >= 32 ? createSecretKey(text, 'utf8') : undefined;

/**
 * Derives 256 bits from a name and the key (HMAC-SHA-256). Names start with their purpose, so no two purposes share a
 * value. Node needs 3 us with a KeyObject or a text, and 15 us with a Buffer.
 */
export function derive(what: string, key: KeyObject | string): Buffer {
  return createHmac('sha256', key).update(what).digest();
}

/** The derived bits in base64url. */
export const deriveText = (what: string, key: KeyObject): string =>
  derive(what, key).toString('base64url');

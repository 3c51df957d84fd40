import { createHmac } from 'node:crypto';

/** The key from a secret's text: at least 32 characters, otherwise undefined. */
export const derivingKey = (text: string): Buffer | undefined =>
  text.length >= 32 ? Buffer.from(text) : undefined;

/**
 * Derives 256 bits from a name and the key (HMAC-SHA-256). Names start with their purpose, so no two purposes share a
 * value.
 */
export function derive(what: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(what).digest();
}

/** The derived bits in base64url. */
export const deriveText = (what: string, key: Buffer): string =>
  derive(what, key).toString('base64url');

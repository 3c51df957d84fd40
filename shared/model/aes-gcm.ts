import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts bytes with AES-256-GCM: nonce, tag, ciphertext. The nonce is random, so a key may encrypt 2^32 texts (NIST
 * SP 800-38D, section 8.3).
 *
 * @param about what the text is about: with anything else it does not decrypt (additional authenticated data)
 */
export function encrypt(key: KeyObject, plain: Uint8Array, about = ''): Buffer {
  const nonce = randomBytes(nonceLength);
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
  const body = Buffer.concat([sealing.update(plain), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), body]);
}

/** Decrypts what `encrypt` made. Throws for another key, for something else, and for what was changed. */
export function decrypt(key: KeyObject, sealed: Uint8Array, about = ''): Buffer {
  const tag = sealed.subarray(nonceLength, nonceLength + tagLength);
  // A shorter tag is easier to guess.
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  opening.setAAD(Buffer.from(about)).setAuthTag(tag);
  const body = opening.update(sealed.subarray(nonceLength + tagLength));
  return Buffer.concat([body, opening.final()]);
}

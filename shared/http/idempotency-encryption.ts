import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * An Idempotency-Key and the key of its record. Only the client has the Idempotency-Key, and the table stores only its
 * digest: a reader of the table can neither read the response nor test guesses of the request body.
 */
export type EncryptionKey = { key: string; record: string };

const derived = ({ key, record }: EncryptionKey, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, record, purpose, 32));

/**
 * Fingerprint of a request with a key (HMAC-SHA-256). It is keyed because a request may contain a password, which a
 * plain digest would expose to guessing.
 */
export const fingerprintOf = (key: EncryptionKey, request: string): string =>
  createHmac('sha256', derived(key, 'request')).update(request).digest('base64url');

/** Whether two fingerprints are the same, in constant time. */
export function isSameFingerprint(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const cipher = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts a text (AES-256-GCM): nonce, tag, ciphertext. Long texts are compressed, because an item holds at most 400
 * KB.
 */
export async function seal(key: EncryptionKey, text: string): Promise<Uint8Array> {
  const nonce = randomBytes(nonceLength);
  const sealing = createCipheriv(cipher, derived(key, 'answer'), nonce);
  const body = Buffer.concat([sealing.update(await packed(text)), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), body]);
}

/** Decrypts a sealed text. Throws if it was sealed with another key. */
export async function unseal(key: EncryptionKey, sealed: Uint8Array): Promise<string> {
  const nonce = sealed.subarray(0, nonceLength);
  const opening = createDecipheriv(cipher, derived(key, 'answer'), nonce);
  opening.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  const body = opening.update(sealed.subarray(nonceLength + tagLength));
  return unpacked(Buffer.concat([body, opening.final()]));
}

/** Bytes from which a text is compressed. */
const long = 4_096;
const plain = Buffer.of(0);
const deflated = Buffer.of(1);

async function packed(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text);
  if (bytes.length < long) return Buffer.concat([plain, bytes]);
  const { deflateRawSync } = await import('node:zlib');
  return Buffer.concat([deflated, deflateRawSync(bytes)]);
}

async function unpacked(bytes: Buffer): Promise<string> {
  const rest = bytes.subarray(1);
  if (bytes[0] === plain[0]) return rest.toString();
  const { inflateRawSync } = await import('node:zlib');
  return inflateRawSync(rest).toString();
}

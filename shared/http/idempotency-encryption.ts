import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from '../model/aes-gcm.ts';

/**
 * An Idempotency-Key and the key of its record. Only the client has the Idempotency-Key, and the table stores only its
 * digest: a reader of the table can neither read the response nor test guesses of the request body.
 */
export type EncryptionKey = { key: string; record: string };

const derived = ({ key, record }: EncryptionKey, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, record, purpose, 32)));

/**
 * Fingerprint of a request with a key (HMAC-SHA-256). It is keyed because a request may contain a password, which a
 * plain digest would expose to guessing.
 */
export const fingerprintOf = (key: EncryptionKey, request: string): string =>
  createHmac('sha256', derived(key, 'request')).update(request).digest('base64url');

/** Encrypts a text. Long texts are compressed, because an item holds at most 400 KB. */
export const seal = async (key: EncryptionKey, text: string): Promise<Uint8Array> =>
  encrypt(derived(key, 'answer'), await packed(text));

/** Decrypts a sealed text. Throws if it was sealed with another key. */
export const unseal = async (key: EncryptionKey, sealed: Uint8Array): Promise<string> =>
  unpacked(decrypt(derived(key, 'answer'), sealed));

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

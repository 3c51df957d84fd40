import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  type EncryptionKey,
  fingerprintOf,
  seal,
  unseal,
} from '#shared/http/idempotency-encryption.ts';

const key: EncryptionKey = { key: 'a key of the client', record: 'RECORD#1' };
const derived = (purpose: string) =>
  Buffer.from(hkdfSync('sha256', key.key, key.record, purpose, 32));

describe('a fingerprint', () => {
  test('is the HMAC-SHA-256 of the request with a key derived for it only', () => {
    const hmac = createHmac('sha256', derived('request')).update('a request');
    expect(fingerprintOf(key, 'a request')).toBe(hmac.digest('base64url'));
  });

  test('is the same only for an identical request', () => {
    const one = fingerprintOf(key, 'a request');
    expect(fingerprintOf(key, 'a request')).toBe(one);
    expect(fingerprintOf(key, 'a Request')).not.toBe(one);
  });
});

describe('a stored response', () => {
  /** Decrypts a stored response independently of the code that encrypted it. */
  function opened(sealed: Uint8Array): Buffer {
    const opening = createDecipheriv('aes-256-gcm', derived('answer'), sealed.subarray(0, 12));
    opening.setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([opening.update(sealed.subarray(28)), opening.final()]);
  }

  test.each([
    ['', 0],
    ['short', 0],
    ['ä'.repeat(2_047), 0],
    ['x'.repeat(4_095), 0],
    ['ä'.repeat(2_048), 1],
    ['x'.repeat(4_096), 1],
    ['x'.repeat(100_000), 1],
  ])('is encrypted with AES-256-GCM, and compressed from 4 KB on (%#)', async (text, first) => {
    const sealed = await seal(key, text);
    expect(await unseal(key, sealed)).toBe(text);
    const [kind, rest] = [opened(sealed)[0], opened(sealed).subarray(1)];
    expect(kind).toBe(first);
    expect((kind === 0 ? rest : inflateRawSync(rest)).toString()).toBe(text);
  });

  test('is encrypted differently each time', async () => {
    const [one, other] = [await seal(key, 'text'), await seal(key, 'text')];
    expect(Buffer.from(one)).not.toEqual(Buffer.from(other));
  });

  test('can be decrypted only with its key and record, and only unchanged', async () => {
    const sealed = await seal(key, 'text');
    for (const other of [{ key: 'another key' }, { record: 'RECORD#2' }])
      await expect(unseal({ ...key, ...other }, sealed)).rejects.toThrow('Unsupported state');
    for (const i of [0, 12, 28, sealed.length - 1]) {
      const changed = Uint8Array.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      await expect(unseal(key, changed)).rejects.toThrow('Unsupported state');
    }
  });
});

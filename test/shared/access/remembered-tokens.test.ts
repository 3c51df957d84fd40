/** @module-tag alone */
import * as crypto from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { signAccessToken, verifyAccessToken } from '#shared/access/access-token.ts';

vi.mock('node:crypto', async (original) => {
  const actual = await original<typeof crypto>();
  return { ...actual, verify: vi.fn<typeof actual.verify>(actual.verify) };
});
const verified = vi.mocked(crypto.verify);
beforeEach(() => {
  verified.mockClear();
});

const issuer = 'https://id.example.com';
const iat = Date.parse('2026-11-21T08:00:00Z') / 1_000;
const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
let count = 0;
const newToken = () =>
  signAccessToken(
    {
      ...{ iss: issuer, sub: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01', aud: 'demo' },
      ...{ sid: '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11', iat, exp: iat + 600 },
      ...{ jti: String((count += 1)), email: 'ada@example.com', email_verified: true },
    },
    { kid: 'ours', privateKey },
  );
type Given = { at?: number; by?: string; key?: crypto.KeyObject | undefined };
const outcome = (token: string, given: Given = {}) => {
  const { at, by, key } = { at: iat, by: issuer, key: publicKey, ...given };
  return verifyAccessToken(token, by, new Date(at * 1_000), async () => key).then(
    ({ jti }) => jti,
    ({ code }: { code: string }) => code,
  );
};

test("a token's signature is verified once, but its times and issuer each time", async () => {
  const token = newToken();
  for (let i = 0; i < 3; i += 1) expect(await outcome(token)).toBe(String(count));
  expect(await outcome(token, { at: iat + 700 })).toBe('token_expired');
  expect(await outcome(token, { at: iat - 60 })).toBe('unauthenticated');
  expect(await outcome(token, { by: 'https://other.example.com' })).toBe('unauthenticated');
  expect(verified).toHaveBeenCalledTimes(1);
});

test('a refused token is not remembered', async () => {
  const forged = `${newToken().slice(0, -8)}AAAAAAAA`;
  for (let i = 0; i < 2; i += 1) expect(await outcome(forged)).toBe('unauthenticated');
  expect(verified).toHaveBeenCalledTimes(2);
});

test('a key that was read again verifies again; another or a missing key refuses the token', async () => {
  const token = newToken();
  await outcome(token);
  const again = crypto.createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' });
  expect(await outcome(token, { key: again })).toBe(String(count));
  expect(verified).toHaveBeenCalledTimes(2);
  const other = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  expect(await outcome(token, { key: other })).toBe('unauthenticated');
  expect(await outcome(token, { key: undefined })).toBe('unauthenticated');
});

test('the last thousand tokens are remembered', async () => {
  const [first, second] = [newToken(), newToken()];
  await outcome(first);
  await outcome(second);
  for (let i = 0; i < 999; i += 1) await outcome(newToken());
  verified.mockClear();
  await outcome(second);
  expect(verified).not.toHaveBeenCalled();
  await outcome(first);
  expect(verified).toHaveBeenCalledOnce();
});

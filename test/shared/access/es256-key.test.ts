import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import {
  type AccessClaims,
  signAccessToken,
  verifyAccessToken,
} from '#shared/access/access-token.ts';
import { deriveEs256Key } from '#shared/access/es256-key.ts';
import { toJwk } from '#shared/access/public-keys.ts';
import { signerFor } from '#shared/access/signing-keys.ts';

const makeRsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pair = makeRsa();
const rsa = { kid: 'rsa', privateKey: pair.privateKey };
const { privateKey, ...published } = deriveEs256Key(rsa);
const publicKey = createPublicKey({ key: toJwk(published), format: 'jwk' });
const iat = Math.floor(Date.now() / 1_000);
const claims: AccessClaims = {
  ...{ iss: 'https://id.example.com', sub: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01', aud: 'demo' },
  ...{ sid: '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11', iat, exp: iat + 600, jti: 'once' },
  ...{ email: 'ada@example.com', email_verified: true },
};
const keys: Record<string, KeyObject> = { rsa: pair.publicKey, [published.kid]: publicKey };
const verify = (token: string) =>
  verifyAccessToken(token, claims.iss, new Date(), (kid) => Promise.resolve(keys[kid]));
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function forge(header: object, signature: (text: Buffer) => Buffer): string {
  const text = `${encode({ typ: 'at+jwt', ...header })}.${encode(claims)}`;
  return `${text}.${signature(Buffer.from(text)).toString('base64url')}`;
}

test('the key is derived from the RSA key only', () => {
  const again = deriveEs256Key(rsa);
  expect(again).toMatchObject(published);
  expect(again.privateKey.equals(privateKey)).toBe(true);
  const other = deriveEs256Key({ ...rsa, privateKey: makeRsa().privateKey });
  expect([other.x, other.y]).not.toContain(published.x);
  expect(privateKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
});

// A small RSA key of this test, and the values that Python's hmac and the formulas of the curve derive from it: a
// number of 63 digits, because one in 16 has fewer than 64.
const known = {
  kty: 'RSA',
  n: 'tHONFkT_NnNO_vWUzF4EQBa3ccWZS0ndA_pIv1EG8ZIu-azA0mkEX4Bsgu4W9fLS2A_WtQ-TMQ-uQh9dLikv_w',
  e: 'AQAB',
  d: 'XgeQTzho3JC9azHA9bVP9a1grdJPjOHSX04-NiMcwSeQu2bsBTJOqJ9YLczLYutMZSFl9XXlEsvGZJyzRoaCUQ',
  p: '6XjbaOtfNAHxV0GfmanKWRukxjef8hI9Re1ZZPl0CHs',
  q: 'xdz-zjV2bAcJQJr4c9qwOXG2FGGzYJYzxq1bW4IZ-U0',
  dp: 'Xy2K3MnfZNdJ6NVy1_T07cCsOrZgeRHgcspgwB5FpFM',
  dq: 'xBT9QvfCcs4KQkcRnyaC63qf-dTUwgw4JVUZKzdkbCU',
  qi: 'n6wkMLsJ19gbC0RNtrBSuAhkqzX0P5IsH6aJnV2NfsI',
};

test('a known RSA key gives a known ES256 key, so that releases side by side derive the same', () => {
  const key = createPrivateKey({ key: known, format: 'jwk' });
  expect(deriveEs256Key({ kid: 'known', privateKey: key })).toMatchObject({
    kid: 'known-ES256',
    x: 'R8FzN493nMxKqoyhGSQDWf_VWhXIXhz7fvjCLVCLQ9I',
    y: 'qA_5hGN3RJTslS6hjGYtm41EMMQ5ujB-ZTi0FcHXASQ',
  });
});

test('a project signs with the algorithm that it chose', () => {
  const all = { rsa, refreshSecret: createSecretKey(Buffer.alloc(32)) };
  expect(signerFor({}, all)).toBe(rsa);
  expect(signerFor({ token_algorithm: 'RS256' }, all)).toBe(rsa);
  const chosen = signerFor({ token_algorithm: 'ES256' }, all);
  expect(chosen.kid).toBe('rsa-ES256');
  expect(chosen.privateKey.equals(privateKey)).toBe(true);
  // Derived only once, because that takes longer than signing.
  expect(signerFor({ token_algorithm: 'ES256' }, all)).toBe(chosen);
  const rotated = { ...all, rsa: { kid: 'rotated', privateKey: makeRsa().privateKey } };
  expect(signerFor({ token_algorithm: 'ES256' }, rotated).kid).toBe('rotated-ES256');
});

test('a token signed with the key is accepted here and by a library', async () => {
  const token = signAccessToken(claims, { kid: published.kid, privateKey });
  expect(await verify(token)).toEqual(claims);
  const { protectedHeader } = await jwtVerify(token, await importJWK(toJwk(published), 'ES256'));
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'rsa-ES256' });
});

const sideBySide = (key: KeyObject) => (text: Buffer) =>
  sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' });
const byRsa = (text: Buffer) => sign('sha256', text, pair.privateKey);
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const es256 = { alg: 'ES256', kid: published.kid };
const ofRsa = { alg: 'ES256', kid: 'rsa' };
test.each<[string, object, (text: Buffer) => Buffer]>([
  ['ES256 with an unknown key', es256, sideBySide(stranger)],
  ['ES256 with the id of the RSA key', ofRsa, sideBySide(privateKey)],
  ['RS256 as the algorithm of the ES256 key', { ...es256, alg: 'RS256' }, sideBySide(privateKey)],
  ['RS256 with the id of the ES256 key', { ...es256, alg: 'RS256' }, byRsa],
  ['ES256 with the id of the RSA key, signed by it', ofRsa, byRsa],
  ['a signature in DER', es256, (text) => sign('sha256', text, privateKey)],
  ['a signature of zeros', es256, () => Buffer.alloc(64)],
  ['no signature', es256, () => Buffer.alloc(0)],
])('%s is refused', async (_, header, signature) => {
  await expect(verify(forge(header, signature))).rejects.toMatchObject({ code: 'unauthenticated' });
});

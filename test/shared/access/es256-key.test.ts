import {
  createPrivateKey,
  createPublicKey,
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
import { keysFor } from '#shared/access/signing-keys.ts';

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
/** A token with this header; `signature` is of its text. */
function forge(header: object, signature: (text: Buffer) => Buffer): string {
  const text = `${encode({ typ: 'at+jwt', ...header })}.${encode(claims)}`;
  return `${text}.${signature(Buffer.from(text)).toString('base64url')}`;
}

test('the key follows from the RSA key, and from nothing else', () => {
  const again = deriveEs256Key(rsa);
  expect(again).toMatchObject(published);
  expect(again.privateKey.equals(privateKey)).toBe(true);
  const other = deriveEs256Key({ ...rsa, privateKey: makeRsa().privateKey });
  expect([other.x, other.y]).not.toContain(published.x);
  expect(privateKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
});

test('a number that begins with zeros is written in full, as one in 16 is', () => {
  for (let i = 0; i < 60; i += 1) {
    const small = generateKeyPairSync('rsa', { modulusLength: 512 });
    const key = deriveEs256Key({ kid: 'rsa', privateKey: small.privateKey });
    expect(key.privateKey.export({ format: 'jwk' }).d).toHaveLength(43);
  }
});

// A small RSA key of this test alone, and what Python's hmac and the formulas of the curve make of it.
const known = {
  kty: 'RSA',
  n: 'ttuakm_plIBDAP6upMBujvUNL6u0ku4hFQu-EnwZUBJYxspvotGcw6vRBJlTxLTSGf2B8bx7WcBiMUr1Y1sE-wRZVvn9vEqx1waHOqVLiwjeo45TqMIQDivL3233Z59nzuXdyjem1XVnClD8ddzMQTP3aMhbBdyfLh610vEV3kk',
  e: 'AQAB',
  d: 'puPLMbeecgCWJsRLVOakgSk6vbVy-18HJpQvB-PnnmMAT37XYLz63MNl41KlV7TIxRvQi3bBBetGM0L8r4-U_JHBwokMS0FkPoIyLfZ2RoLIK62Iym38AUeRnmgVQMy0nnv9hsXACihHUiI0SsjLjDEyCd6rD8FSCVX7R2o3ZmE',
  p: '26XqI2E6l7ty8rGOcnBibJTWb-Ch9EtXekwbCxlTPctVfubtgyx_p7MzTaHZ-AC71zU4L71V73DhJsKlx5DVjQ',
  q: '1R7z9gFiJhPlsGradkXI5einQFgqdfwvS5B3sOjGkn_GxbJClD8Z7QZ5oIC0Z5ANIsOzSzSAcXl6q2wLWlVGrQ',
  dp: 'SYrQzU3Fp34Mq7PFhQ2Z9s8SyVzF_Ryoynrm5x1woJUPKDE7vxrMFyNJ_yk86Oud-R2JlXpoZoY97JNpnFsjFQ',
  dq: 'Qpvo_dNS3LnNSQUsgFixQIIle-vSYYvPMFvXvNgT8Ae1lWZwfqr2LGmgq_Rt7gxMvrfRmsiu-EhSea9MIRCUBQ',
  qi: 'IPMzUajP-BtkOkDahK5Cc9FVB-46p52rODEFkZtZoNrq_khod_WheLgrm9LTR2MqhfKez7FU_2oEcDjF6kGq0A',
};

test('a known key gives the known answer: releases side by side derive the same', () => {
  const key = createPrivateKey({ key: known, format: 'jwk' });
  expect(deriveEs256Key({ kid: 'known', privateKey: key })).toMatchObject({
    kid: 'known-ES256',
    x: 'cicasMpRUvBPulT6N4Ig98GGQgGGOUrpGuRGzc89oVs',
    y: 'El5lMEpK9-zHi99Uwz5JZCt0vHEwZmBz7fTMhWPAUvU',
  });
});

test('the keys of a project are of the algorithm that it chose', () => {
  const all = { ...rsa, refreshSecret: Buffer.alloc(32) };
  expect(keysFor({}, all)).toBe(all);
  expect(keysFor({ token_algorithm: 'RS256' }, all)).toBe(all);
  const chosen = keysFor({ token_algorithm: 'ES256' }, all);
  expect(chosen).toMatchObject({ kid: 'rsa-ES256', refreshSecret: all.refreshSecret });
  expect(chosen.privateKey.equals(privateKey)).toBe(true);
  const rotated = { ...all, kid: 'rotated', privateKey: makeRsa().privateKey };
  expect(keysFor({ token_algorithm: 'ES256' }, rotated).kid).toBe('rotated-ES256');
});

test('a token of it is good here and for a library', async () => {
  const token = signAccessToken(claims, { kid: published.kid, privateKey });
  expect(await verify(token)).toEqual(claims);
  const { protectedHeader } = await jwtVerify(token, await importJWK(toJwk(published), 'ES256'));
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'rsa-ES256' });
});

const sideBySide = (key: KeyObject) => (text: Buffer) =>
  sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
test.each<[string, string]>([
  ['ES256 of a stranger', forge({ alg: 'ES256', kid: published.kid }, sideBySide(stranger))],
  ['ES256 said of the RSA key', forge({ alg: 'ES256', kid: 'rsa' }, sideBySide(privateKey))],
  [
    'RS256 said of the ES256 key',
    forge({ alg: 'RS256', kid: published.kid }, sideBySide(privateKey)),
  ],
  [
    'RS256 with the id of the ES256 key',
    forge({ alg: 'RS256', kid: published.kid }, (text) => sign('sha256', text, pair.privateKey)),
  ],
  [
    'ES256 with the id of the RSA key, signed by it',
    forge({ alg: 'ES256', kid: 'rsa' }, (text) => sign('sha256', text, pair.privateKey)),
  ],
  [
    'a signature in DER',
    forge({ alg: 'ES256', kid: published.kid }, (text) => sign('sha256', text, privateKey)),
  ],
  ['a signature of zeros', forge({ alg: 'ES256', kid: published.kid }, () => Buffer.alloc(64))],
  ['no signature', forge({ alg: 'ES256', kid: published.kid }, () => Buffer.alloc(0))],
])('%s is refused', async (_, token) => {
  await expect(verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

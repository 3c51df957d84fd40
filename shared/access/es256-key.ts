import { createECDH, createPrivateKey, hkdfSync } from 'node:crypto';
import type { Signer } from './jws.ts';

/** A P-256 public key as in a JWK (RFC 7518, section 6.2). */
export type Es256Public = { kid: string; x: string; y: string };

/** The id of the ES256 key beside an RSA key. */
export const es256Id = (kid: string): string => `${kid}-ES256`;

/** Order of the base point of P-256 (FIPS 186-5). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Derives the ES256 key that stands beside an RSA key, with the id of that one and `-ES256`. It is derived so that the
 * stored secret keeps its form, which the release before reads too; and from the private key, so that what ends a leak
 * of that ends a leak of this.
 */
export function deriveEs256Key(rsa: Signer): Es256Public & Signer {
  // The number itself, because encodings of a whole key may change.
  const secret = Buffer.from(rsa.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  // FIPS 186-5, A.2.1: with 128 bits more than the order has, the remainder is as good as random.
  const wide = Buffer.from(hkdfSync('sha256', secret, '', 'ES256', 48));
  const scalar = (BigInt(`0x${wide.toString('hex')}`) % (order - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(d);
  // 0x04, then both coordinates.
  const point = curve.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') };
  return {
    kid: es256Id(rsa.kid),
    x,
    y,
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
  };
}

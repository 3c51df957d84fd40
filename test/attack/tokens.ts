import { constants, createHmac, type KeyObject, type SigningOptions, sign } from 'node:crypto';

/** Builds tokens that no library would build. */

/** Signs the text of a token, in whatever way. */
export type Signer = (text: string) => Buffer;

/** Base64url: of text and bytes directly, of other values as JSON. */
export const encode = (value: unknown): string =>
  (value instanceof Uint8Array
    ? Buffer.from(value)
    : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  ).toString('base64url');

/** The compact serialization of any header and payload. */
export function compact(header: unknown, payload: unknown, signer: Signer): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${signer(text).toString('base64url')}`;
}

export const byKey =
  (key: KeyObject, hash: string | null = 'sha256', options: SigningOptions = {}): Signer =>
  (text) =>
    sign(hash, Buffer.from(text), { key, ...options });
export const byMac =
  (secret: string | Buffer, hash = 'sha256'): Signer =>
  (text) =>
    createHmac(hash, secret).update(text).digest();
export const unsigned: Signer = () => Buffer.alloc(0);

/** RSASSA-PSS with a salt as long as the hash (RFC 7518 section 3.5). */
export const pss = (saltLength: number): SigningOptions => ({
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength,
});
/** The form of a JWS signature, r and s side by side, and not DER (RFC 7518 section 3.4). */
export const sideBySide: SigningOptions = { dsaEncoding: 'ieee-p1363' };

/** A public RSA key in every encoding that could be mistaken for an HMAC secret. */
export function spellingsOf(publicKey: KeyObject, kid: string): Record<string, string | Buffer> {
  const pem = (type: 'spki' | 'pkcs1') => publicKey.export({ type, format: 'pem' }).toString();
  const der = (type: 'spki' | 'pkcs1') => publicKey.export({ type, format: 'der' });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const published = { kty: 'RSA', use: 'sig', alg: 'RS256', kid, n, e };
  return {
    'PEM, SPKI': pem('spki'),
    'PEM, SPKI, without the last line break': pem('spki').trimEnd(),
    'PEM, SPKI, lines of Windows': pem('spki').replaceAll('\n', '\r\n'),
    'PEM, SPKI, in one line': pem('spki').replaceAll('\n', ''),
    'PEM, PKCS #1': pem('pkcs1'),
    'PEM, PKCS #1, without the last line break': pem('pkcs1').trimEnd(),
    'DER, SPKI': der('spki'),
    'DER, PKCS #1': der('pkcs1'),
    'base64 of the DER': der('spki').toString('base64'),
    JWK: JSON.stringify({ kty: 'RSA', n, e }),
    'the published JWK': JSON.stringify(published),
    'the published set': JSON.stringify({ keys: [published] }),
    'the modulus, bytes': Buffer.from(n, 'base64url'),
    'the modulus, base64url': n,
    'the modulus, hex': Buffer.from(n, 'base64url').toString('hex'),
    'the key id': kid,
    nothing: '',
    'a NUL': '\0',
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The same bytes with other unused bits in the last character, which a lenient decoder ignores. */
export const respelled = (part: string): string =>
  part.slice(0, -1) + letters[letters.indexOf(part.at(-1) ?? '') + 1];

/** Replaces the letter at a position. */
export const flipped = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

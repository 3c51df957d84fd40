import { type KeyObject, sign } from 'node:crypto';

/** A key pair as the service signs with it. */
export type Signer = { kid: string; privateKey: KeyObject };

/** The algorithm of a key: a token with another one is refused, so that no key is used as something else. */
export const algorithmOf = (key: KeyObject) => (key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256');

/** An ES256 signature is both numbers side by side (RFC 7518, section 3.4); for RS256 the encoding is nothing. */
export const asymmetric = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' }) as const;

/** Signs content as a JWS in compact form (RFC 7515), whose type tells it from the other tokens of the service. */
export function signJws(typ: 'at+jwt' | 'JWT', content: object, { kid, privateKey }: Signer) {
  const signed = `${encode({ alg: algorithmOf(privateKey), typ, kid })}.${encode(content)}`;
  const signature = sign('sha256', Buffer.from(signed), asymmetric(privateKey));
  return `${signed}.${signature.toString('base64url')}`;
}

/** Decodes a part; undefined unless it is canonical base64url, so that one content has exactly one token. */
export function decodePart(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

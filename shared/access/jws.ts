import { type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod';
import { limits } from '../model/limits.ts';

/** The tokens that the service signs: access tokens (RFC 9068) and ID tokens (OpenID Connect Core 1.0). */
type TokenType = z.output<typeof header>['typ'];

/** A key pair as the service signs with it. */
export type Signer = { kid: string; privateKey: KeyObject };

/** RS256 by default: API Gateway, ALB and AppSync verify it. ES256 is signed in a tenth of the time. */
const header = z.strictObject({
  alg: z.enum(['RS256', 'ES256']),
  typ: z.enum(['at+jwt', 'JWT']),
  kid: z.string().min(1).max(64),
});

/** zod does not compile its checks for a token: an instance checks it once, and has most often begun with it. */
export const once = { jitless: true } as const;

/** A token of which only the form is certain: `content` counts once {@link isSignedBy} has agreed. */
export type Jws = {
  kid: string;
  alg: 'RS256' | 'ES256';
  content: unknown;
  signed: string;
  signature: Buffer;
};

/** Signs content as a JWS in compact form (RFC 7515), whose type tells it from the other tokens of the service. */
export function signJws(typ: TokenType, content: object, { kid, privateKey }: Signer): string {
  const signed = `${encode({ alg: algorithmOf(privateKey), typ, kid })}.${encode(content)}`;
  const signature = sign('sha256', Buffer.from(signed), asymmetric(privateKey));
  return `${signed}.${signature.toString('base64url')}`;
}

/**
 * Reads a token of a type strictly (RFC 8725): three parts, a header of `alg`, `typ` and `kid` and nothing else, so
 * that no token brings a key or takes the place of another type. Throws if its form is not that of a token of the
 * service.
 */
export function readJws(typ: TokenType, token: string): Jws {
  if (token.length > limits.signedToken) throw new Error('the token is too long');
  const parts = token.split('.');
  if (parts.length !== 3) throw new Error('the token does not have three parts');
  const [head = '', body = '', tail = ''] = parts;
  const { kid, alg, typ: found } = header.parse(json(head), once);
  if (found !== typ) throw new Error(`the token is of type ${found}`);
  return { kid, alg, content: json(body), signed: `${head}.${body}`, signature: decode(tail) };
}

/** Whether a key has signed a token, with the one algorithm of that key. */
export const isSignedBy = ({ alg, signed, signature }: Jws, key: KeyObject): boolean =>
  alg === algorithmOf(key) && verify('sha256', Buffer.from(signed), asymmetric(key), signature);

/** The algorithm of a key: a token with another one is refused, so that no key is used as something else. */
const algorithmOf = (key: KeyObject) => (key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256');

/**
 * An ES256 signature is both numbers side by side (RFC 7518, section 3.4). A key alone, as for RS256, takes 15 us less
 * than a key with an encoding.
 */
const asymmetric = (key: KeyObject) =>
  algorithmOf(key) === 'ES256' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key;

const json = (part: string): unknown => JSON.parse(decode(part).toString('utf8'));

/** Only canonical base64url is decoded, so that one content has exactly one token. */
function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new Error('a part is not canonical base64url');
  return bytes;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

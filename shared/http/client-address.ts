import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** How to recognise requests of the operator's proxy (CloudFront). */
export type TrustedProxy = {
  /** SHA-256 of each secret that the proxy may send, in hexadecimal; empty: there is no proxy. */
  digests: readonly string[];
  /** Whether requests that bypass the proxy are rejected. */
  only: boolean;
};

/** Headers that the proxy sets, replacing any values that the client sent under these names. */
const proxyHeaders = {
  secret: 'x-origin-verify',
  address: 'cloudfront-viewer-address',
} as const;

export type ClientAddress =
  | { kind: 'direct' | 'proxied'; address: string }
  /** Through the proxy, which did not name the client: the address is the proxy's own. */
  | { kind: 'unnamed'; address: string }
  /** Bypassed the proxy, although only requests through it are allowed. */
  | { kind: 'refused' };

/**
 * Determines the address of the client. Any client can send the headers of the proxy, so they count only together with
 * a secret of the proxy. `X-Forwarded-For` never counts, because a client can set its first entries.
 *
 * @param sourceIp the peer of the connection, as seen by API Gateway
 */
export function clientOf(
  headers: Readonly<Record<string, string | undefined>>,
  sourceIp: string,
  { digests, only }: TrustedProxy,
): ClientAddress {
  if (!isOneOf(headers[proxyHeaders.secret], digests))
    return only && digests.length > 0 ? { kind: 'refused' } : { kind: 'direct', address: sourceIp };
  const address = addressIn(headers[proxyHeaders.address] ?? '');
  return address === undefined
    ? { kind: 'unnamed', address: sourceIp }
    : { kind: 'proxied', address };
}

/**
 * Compares digests in constant time. (A digest reveals nothing about the secret anyway.) Not with the function of
 * model/ids.ts: this file is a chunk of its own, so the bundler would make a chunk of that one too, and each function
 * would load it as a further file.
 */
function isOneOf(secret: string | undefined, digests: readonly string[]): boolean {
  if (!secret) return false;
  const actual = createHash('sha256').update(secret).digest();
  return digests.some((digest) => {
    const expected = Buffer.from(digest, 'hex');
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
}

/** The address before the port: `198.51.100.10:46532`, or an IPv6 address with or without brackets. */
function addressIn(text: string): string | undefined {
  const [, address = ''] = /^\[?([\da-f:.]+?)\]?:\d{1,5}$/i.exec(text) ?? [];
  // An IPv4-mapped IPv6 address counts as the IPv4 address; otherwise all of them would share one IPv6 network.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(plain) === 0 ? undefined : plain;
}

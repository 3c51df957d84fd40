import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

/** How requests of the operator's proxy (CloudFront) are known. */
export type TrustedProxy = {
  /** SHA-256 of each secret that the proxy may send, in hexadecimal digits; none: there is no proxy. */
  digests: readonly string[];
  /** Whether requests that did not come through it are refused. */
  only: boolean;
};

/** What the proxy adds to a request, in place of what the client sent by these names. */
const proxyHeaders = {
  secret: 'x-origin-verify',
  address: 'cloudfront-viewer-address',
} as const;

export type Client =
  | { kind: 'direct' | 'proxied'; address: string }
  /** Through the proxy, which did not say for whom: the address is its own. */
  | { kind: 'unnamed'; address: string }
  /** Around the proxy, where only requests through it are answered. */
  | { kind: 'refused' };

/**
 * Tells who sent a request. Every client can send the headers of the proxy: they count only beside a secret that it
 * sends. `X-Forwarded-For` never counts, for a client can begin it.
 *
 * @param sourceIp the other side of the connection, as API Gateway saw it
 */
export function clientOf(
  headers: Readonly<Record<string, string | undefined>>,
  sourceIp: string,
  { digests, only }: TrustedProxy,
): Client {
  if (!isOneOf(headers[proxyHeaders.secret], digests))
    return only && digests.length > 0 ? { kind: 'refused' } : { kind: 'direct', address: sourceIp };
  const address = addressIn(headers[proxyHeaders.address] ?? '');
  return address === undefined
    ? { kind: 'unnamed', address: sourceIp }
    : { kind: 'proxied', address };
}

/** Compares digests, in constant time: what is compared tells nothing of the secret anyway. */
function isOneOf(secret: string | undefined, digests: readonly string[]): boolean {
  if (!secret) return false;
  const given = createHash('sha256').update(secret).digest();
  return digests.some((digest) => {
    const known = Buffer.from(digest, 'hex');
    return known.length === given.length && timingSafeEqual(known, given);
  });
}

/** The address before the port: `198.51.100.10:46532`, or an IPv6 address with or without brackets. */
function addressIn(text: string): string | undefined {
  const [, address = ''] = /^\[?([\da-f:.]+?)\]?:\d{1,5}$/i.exec(text) ?? [];
  // An IPv4 address in the clothes of IPv6 is that one, not one of a network that all of them share.
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(plain) === 0 ? undefined : plain;
}

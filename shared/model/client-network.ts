import { isIPv6 } from 'node:net';

/** The network of an address as shown to users: an IPv4 /24 or an IPv6 /48. */
export const coarseNetwork = (address: string): string =>
  isIPv6(address)
    ? `${prefixOf(address, 3)}::/48`
    : address.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

/**
 * One source of requests for rate limits: an IPv4 address, or an IPv6 /64, because one customer usually has a whole
 * /64.
 */
export const clientNetwork = (address: string): string =>
  isIPv6(address) ? `${prefixOf(address, 4)}::/64` : address;

/**
 * One customer of an access provider: an IPv4 address, or an IPv6 /48, because one customer may have as much as that, or
 * 256 /64 of it.
 */
export const customerNetwork = (address: string): string =>
  isIPv6(address) ? coarseNetwork(address) : address;

/** The first groups of an IPv6 address (RFC 5952, without the shortening of zeros across groups). */
function prefixOf(address: string, groups: number): string {
  // A zone id (RFC 4007) is meaningful only on the machine itself.
  const [head = '', tail = ''] = address.toLowerCase().replace(/%.*/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail.split(':');
  // An embedded IPv4 address at the end stands for two groups.
  const length = (parts: string[]) => parts.length + (parts.at(-1)?.includes('.') ? 1 : 0);
  const zeros = Math.max(0, 8 - length(before) - length(after));
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return all
    .slice(0, groups)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

import { isIPv6 } from 'node:net';

/** The network of an address as a person may see it again: an IPv4 /24 or an IPv6 /48. */
export const coarseNetwork = (address: string): string =>
  isIPv6(address)
    ? `${prefixOf(address, 3)}::/48`
    : address.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24');

/** What counts as one source of requests: an IPv4 address, or an IPv6 /64, of which one customer has a whole one. */
export const clientNetwork = (address: string): string =>
  isIPv6(address) ? `${prefixOf(address, 4)}::/64` : address;

/** The first groups of an IPv6 address (RFC 5952, without the shortening of zeros across groups). */
function prefixOf(address: string, groups: number): string {
  // A zone (RFC 4007) is the machine's own business.
  const [head = '', tail = ''] = address.toLowerCase().replace(/%.*/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail.split(':');
  // An IPv4 address at the end takes the place of two groups.
  const length = (parts: string[]) => parts.length + (parts.at(-1)?.includes('.') ? 1 : 0);
  const zeros = Math.max(0, 8 - length(before) - length(after));
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return all
    .slice(0, groups)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

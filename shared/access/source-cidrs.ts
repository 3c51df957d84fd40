import { BlockList, isIP } from 'node:net';

/**
 * Whether an address is in one of the blocks (CIDR, IPv4 or IPv6). An IPv4-mapped IPv6 address counts as the IPv4
 * address, and an IPv4 address is in no block of IPv6. Anything that is no address is in none.
 */
export function isInside(address: string, cidrs: readonly string[]): boolean {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  const version = isIP(plain);
  if (version === 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const blocks = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', prefix = ''] = cidr.split('/');
    if (isIP(network) === version) blocks.addSubnet(network, Number(prefix), family);
  }
  return blocks.check(plain, family);
}

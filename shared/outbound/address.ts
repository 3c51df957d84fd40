import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Addresses that a webhook URL must not reach (SSRF): the special-purpose addresses of IANA (RFC 6890), including cloud
 * metadata services.
 */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local: the metadata services of instances and containers.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 embeds an IPv4 address, which may be any of the above.
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6');

/** The routed IPv6 addresses. All others are local, mapped or translated from IPv4, or reserved. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for an IP address of the public internet. False for anything that is not a plain address. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** True for an IP address of this machine. */
export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return loopback.check(address, 'ipv4');
  return isIPv6(address) && !address.includes('%') && loopback.check(address, 'ipv6');
}

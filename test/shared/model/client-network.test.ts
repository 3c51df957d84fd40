import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientNetwork, coarseNetwork, customerNetwork } from '#shared/model/client-network.ts';

/** Whether the network contains the address according to Node's own implementation. */
function holds(network: string, address: string): boolean {
  const [base = '', bits] = network.split('/');
  const list = new BlockList();
  list.addSubnet(base, Number(bits), base.includes(':') ? 'ipv6' : 'ipv4');
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

test.each([
  ['203.0.113.77', '203.0.113.0/24', '203.0.113.77'],
  ['127.0.0.1', '127.0.0.0/24', '127.0.0.1'],
  ['255.255.255.255', '255.255.255.0/24', '255.255.255.255'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1::/48', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0::/48', '2001:db8:0:0::/64'],
  ['::1', '0:0:0::/48', '0:0:0:0::/64'],
  ['::', '0:0:0::/48', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0::/48', 'fe80:0:0:0::/64'],
  ['1::7:8%a:b:c:d', '1:0:0::/48', '1:0:0:0::/64'],
  ['1::3:4:5:6:7:8', '1:0:3::/48', '1:0:3:4::/64'],
  ['::3:4:5:6:7:8', '0:0:3::/48', '0:0:3:4::/64'],
  ['::3:4:5:6:203.0.113.77', '0:0:3::/48', '0:0:3:4::/64'],
  ['64:ff9b::203.0.113.77', '64:ff9b:0::/48', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:203.0.113.77', '1:2:3::/48', '1:2:3:4::/64'],
])('%s is shown as %s and counted as %s', (address, network, source) => {
  expect(coarseNetwork(address)).toBe(network);
  expect(clientNetwork(address)).toBe(source);
  expect(customerNetwork(address)).toBe(network.endsWith('/48') ? network : source);
});

test('the shown network contains the address, and reveals no more than its prefix', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      const shown = coarseNetwork(address);
      expect(shown).toMatch(/::\/48$|\.0\/24$/);
      expect(holds(shown, address)).toBe(true);
    }),
  );
});

test('every spelling of an IPv6 address has the same source, and all of a /64 share one', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (address, other) => {
      const source = clientNetwork(address);
      expect(source).toMatch(/::\/64$/);
      expect(holds(source, address)).toBe(true);
      // The WHATWG URL format: zeros shortened, no IPv4 at the end.
      const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
      expect(clientNetwork(canonical)).toBe(source);
      expect(clientNetwork(address.toUpperCase())).toBe(source);
      expect(clientNetwork(other) === source).toBe(holds(source, other));
    }),
  );
});

test('a text that is not an address is returned unchanged', () => {
  for (const text of ['', '1.2.3', '1.2.3.4.5', 'x1.2.3.4', '1.2.3.4x'])
    expect(coarseNetwork(text)).toBe(text);
  expect(clientNetwork('unix:')).toBe('unix:');
});

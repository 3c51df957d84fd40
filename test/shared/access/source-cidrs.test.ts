import { expect, test } from 'vitest';
import { isInside } from '#shared/access/source-cidrs.ts';

test.each<[string, string[], boolean]>([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.113.7', ['203.0.113.7/32'], true],
  ['203.0.113.8', ['203.0.113.7/32'], false],
  ['203.0.112.255', ['203.0.113.0/24'], false],
  ['203.0.114.0', ['203.0.113.0/24'], false],
  // The block as it is written, whose bits after the prefix do not count.
  ['203.0.113.7', ['203.0.113.99/24'], true],
  ['198.51.100.1', ['203.0.113.0/24', '198.51.100.0/25'], true],
  ['198.51.100.128', ['203.0.113.0/24', '198.51.100.0/25'], false],
  ['198.51.100.1', ['0.0.0.0/0'], true],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:DB8:0:0::1', ['2001:db8::/64'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
  ['198.51.100.1', ['::/0'], false],
  ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['::ffff:203.0.114.7', ['203.0.113.0/24'], false],
  // Not one that is mapped: the same letters elsewhere, and an address that goes on.
  ['1::ffff:203.0.113.7', ['1::/16'], true],
  ['1::ffff:203.0.113.7', ['203.0.113.0/24'], false],
  ['::ffff:1:2', ['::/0'], true],
  ['203.0.113.7', [], false],
  ['', ['0.0.0.0/0', '::/0'], false],
  ['x', ['0.0.0.0/0', '::/0'], false],
  ['203.0.113.7, 10.0.0.1', ['203.0.113.0/24'], false],
])('%s within %j: %s', (address, cidrs, expected) => {
  expect(isInside(address, cidrs)).toBe(expected);
});

import { describe, expect, test } from 'vitest';
import { isLoopback, isPublic } from '#shared/outbound/address.ts';

describe('a public address:', () => {
  test.each([
    ...['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.1', '172.15.255.255', '172.32.0.1'],
    ...['192.167.255.255', '223.255.255.255', '2606:4700::1111', '2a00:1450:4001::1'],
  ])('%s', (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe('not a public address:', () => {
  test.each(
    Object.entries({
      'this network': ['0.0.0.0'],
      private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
      'shared by a carrier': ['100.64.0.1', '100.127.255.255'],
      loopback: ['127.0.0.1', '127.255.255.254', '::1'],
      'link-local': ['169.254.1.1', 'fe80::1'],
      'the metadata of an instance': ['169.254.169.254', 'fd00:ec2::254'],
      'the metadata of a container': ['169.254.170.2'],
      'assigned by protocols': ['192.0.0.192'],
      documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
      benchmarks: ['198.19.0.1', '2001:2::1'],
      multicast: ['224.0.0.1', 'ff02::1'],
      reserved: ['240.0.0.1'],
      broadcast: ['255.255.255.255'],
      unspecified: ['::'],
      'mapped loopback': ['::ffff:127.0.0.1'],
      'mapped private': ['::ffff:a00:1'],
      'mapped metadata': ['::ffff:169.254.169.254'],
      compatible: ['::127.0.0.1'],
      translated: ['64:ff9b::a00:1'],
      'translated locally': ['64:ff9b:1::1'],
      discard: ['100::1'],
      Teredo: ['2001::1'],
      '6to4 of a private address': ['2002:a00:1::1'],
      'unique-local': ['fd00::1'],
      'link-local with a zone': ['fe80::1%eth0'],
      'global with a zone': ['2606:4700::1111%eth0'],
      'a name': ['localhost'],
      'a number': ['2130706433'],
      'an empty text': [''],
    }),
  )('%s', (_, addresses) => {
    for (const address of addresses) expect(isPublic(address), address).toBe(false);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['128.0.0.1', false],
  ['::2', false],
  ['::ffff:127.0.0.1', true],
  ['::1%lo', false],
  ['localhost', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

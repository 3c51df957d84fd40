import { expect, test } from 'vitest';
import { accountKey, networkKey } from '#shared/db/rate-limits.ts';

test('an account is counted by project and e-mail in lower case', () => {
  expect(accountKey('demo', 'Ada@Example.com')).toBe('demo ada@example.com');
  expect(accountKey('other', 'ada@example.com')).toBe('other ada@example.com');
});

test('an origin is counted by project and address, an IPv6 address by its /64', () => {
  expect(networkKey('demo', '203.0.113.77')).toBe('demo 203.0.113.77');
  expect(networkKey('demo', '2001:db8:1:2::6')).toBe('demo 2001:db8:1:2::/64');
});

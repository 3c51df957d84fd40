import { describe, expect, test, vi } from 'vitest';
import { isCallable, isLocalService, targetProblem } from '#shared/outbound/target.ts';

describe('a deployed service', () => {
  test.each([
    'https://example.com',
    'https://example.com:443/hooks?a=b',
    'https://example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:1024/',
    'https://example.com./',
    'https://my_hooks.example.com/',
    'https://bücher.example.com/',
    'https://x--1.example.museum/',
  ])('sends to %s', (url) => {
    expect(targetProblem(url, false)).toBeUndefined();
  });

  test.each([
    ['http://example.com/', 'Must be an https URL'],
    ['http://localhost/', 'Must be an https URL'],
    ['ftp://example.com/', 'Must be an https URL'],
    ['nowhere', 'Must be an https URL'],
    ['https://ada@example.com/', 'Must not contain a user name or password'],
    ['https://:secret@example.com/', 'Must not contain a user name or password'],
    ['https://example.com:25/', 'Must use port 443, or 1024 or higher'],
    ['https://example.com:1023/', 'Must use port 443, or 1024 or higher'],
    ['https://127.0.0.1/', 'Must have a public address'],
    // Other spellings of the same address.
    ['https://2130706433/', 'Must have a public address'],
    ['https://0x7f.1/', 'Must have a public address'],
    ['https://017700000001/', 'Must have a public address'],
    ['https://[::1]/', 'Must have a public address'],
    ['https://[::ffff:10.0.0.1]/', 'Must have a public address'],
    ['https://169.254.169.254/latest/meta-data/', 'Must have a public address'],
    ['https://localhost/', 'Must have a public host name'],
    ['https://api.localhost/', 'Must have a public host name'],
    ['https://intranet/', 'Must have a public host name'],
    ['https://intranet./', 'Must have a public host name'],
    ['https://.com', 'Must have a public host name'],
    ['https://..', 'Must have a public host name'],
    ['https://./', 'Must have a public host name'],
    ['https://example..com/', 'Must have a public host name'],
    ['https://.example.com/', 'Must have a public host name'],
    ['https://example.com../', 'Must have a public host name'],
    ['https://-.com/', 'Must have a public host name'],
    ['https://-example.com/', 'Must have a public host name'],
    ['https://example-.com/', 'Must have a public host name'],
    ['https://exam~ple.com/', 'Must have a public host name'],
    [`https://${'x'.repeat(64)}.com/`, 'Must have a public host name'],
    [`https://${'x.'.repeat(126)}com/`, 'Must have a public host name'],
  ])('does not send to %s: %s', (url, flaw) => {
    expect(targetProblem(url, false)).toBe(flaw);
  });
});

describe("a service on its developer's machine", () => {
  test.each([
    'http://localhost:3001/',
    'http://127.0.0.1:80/',
    'http://[::1]:9/',
    'https://localhost/',
  ])('sends to %s on the same machine', (url) => {
    expect(targetProblem(url, true)).toBeUndefined();
  });

  test.each(['http://10.0.0.1/', 'http://example.com/', 'https://192.168.1.1/'])(
    'does not send to %s',
    (url) => {
      expect(targetProblem(url, true)).toBeDefined();
    },
  );

  test('has a loopback address and plain http', () => {
    for (const [url, local] of [
      ['http://localhost:3000', true],
      ['http://127.0.0.1:3000', true],
      ['https://localhost', false],
      ['https://id.example.com', false],
      ['http://id.example.com', false],
    ] as const) {
      vi.stubEnv('BASE_URL', url);
      expect(isLocalService(), url).toBe(local);
    }
  });
});

test('a name may resolve to this machine only if it is localhost, in development', () => {
  expect(isCallable('127.0.0.1', 'localhost', true)).toBe(true);
  expect(isCallable('::1', 'localhost', true)).toBe(true);
  expect(isCallable('127.0.0.1', 'localhost', false)).toBe(false);
  expect(isCallable('127.0.0.1', 'example.com', true)).toBe(false);
  expect(isCallable('10.0.0.1', 'localhost', true)).toBe(false);
  expect(isCallable('8.8.8.8', 'example.com', false)).toBe(true);
});

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

  test.each(
    Object.entries({
      'Must be an https URL': [
        ...['http://example.com/', 'http://localhost/', 'ftp://example.com/'],
        ...['nowhere'],
      ],
      'Must not contain a user name or password': [
        ...['https://ada@example.com/', 'https://:secret@example.com/'],
      ],
      'Must use port 443, or 1024 or higher': [
        ...['https://example.com:25/', 'https://example.com:1023/'],
      ],
      'Must have a public address': [
        'https://127.0.0.1/',
        // Other spellings of the same address.
        ...['https://2130706433/', 'https://0x7f.1/', 'https://017700000001/'],
        ...['https://[::1]/', 'https://[::ffff:10.0.0.1]/'],
        ...['https://169.254.169.254/latest/meta-data/'],
      ],
      'Must have a public host name': [
        ...['https://localhost/', 'https://api.localhost/', 'https://intranet/'],
        ...['https://intranet./', 'https://.com', 'https://..'],
        ...['https://./', 'https://example..com/', 'https://.example.com/'],
        ...['https://example.com../', 'https://-.com/', 'https://-example.com/'],
        ...['https://example-.com/', 'https://exam~ple.com/', `https://${'x'.repeat(64)}.com/`],
        ...[`https://${'x.'.repeat(126)}com/`],
      ],
    }).flatMap(([flaw, urls]) => urls.map((url) => [url, flaw] as const)),
  )('does not send to %s: %s', (url, flaw) => {
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

import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../support/characters.ts';

/** Unusual headers and encodings that no regular client sends. */

export const rawBodies: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '{',
    '{}{}',
    '[]',
    'null',
    '"x"',
    '{"a":1,"a":2}',
    '{"__proto__":{"admin":true}}',
    '\ufeff{}',
    '{"a":1e999}',
    '{"a":"\\ud800"}',
    '',
  ),
  fc.constantFrom(40, 40_000).map((depth) => '['.repeat(depth)),
  fc
    .constantFrom(65_530, 65_536, 65_537, 200_000)
    .map((bytes) => `{"a":"${'x'.repeat(bytes - 8)}"}`),
  fc.json(),
  fc.string({ unit: anyCharacter, maxLength: 500 }),
);

export const oddHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  fc
    .constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
      'application/xml',
      '',
      '*/*',
    )
    .map((type) => ({ 'content-type': type })),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map((coding) => ({ 'content-encoding': coding })),
  fc.constantFrom('GET', 'DELETE', 'PUT').map((method) => ({ 'x-http-method-override': method })),
  fc
    .constantFrom('*', '"x"', 'W/"x"', 'x', '"a", "b"')
    .map((tag) => ({ 'if-match': tag, 'if-none-match': tag })),
  fc
    .string({ unit: 'grapheme-ascii', maxLength: 300 })
    .map((key) => ({ 'idempotency-key': key.trim() })),
  fc.constantFrom(
    { host: 'evil.example' },
    { 'x-forwarded-for': '10.0.0.1' },
    { 'x-original-url': '/users/me' },
    { cookie: 'a=b; c=d' },
    { cookie: `${'session-a=b; '.repeat(300)}c=d` },
    { 'sec-fetch-site': 'cross-site' },
    { 'accept-language': 'de, *;q=0' },
    { range: 'bytes=0-1' },
    { accept: 'text/html' },
  ),
);

/** Of few keys, so that some repeat: with the same request, another one, or another caller. */
export const repeats: Arbitrary<Record<string, string>> = fc.oneof(
  fc.nat(20).map((n) => ({ 'idempotency-key': `fuzz-${n}`.padEnd(16, 'x') })),
  fc.constantFrom('*', '"x"', 'W/"x"', 'x').map((tag) => ({ 'if-match': tag })),
);

export const tails = fc.constantFrom(
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '%',
  '%zz',
  '%00',
  '%2f',
  '?',
  '?a=1&a=2',
  '&limit=1&limit=1',
  '?%ff=1',
  ';a=b',
  '?limit=1%',
  '.json',
);

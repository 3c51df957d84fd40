import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainHash } from '#shared/events/hash-chain.ts';
import { canonicalJson } from '#shared/model/canonical-json.ts';
import { sha256 } from '#shared/model/ids.ts';

describe('canonical JSON', () => {
  test('is the example of RFC 8785', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('sorts names by UTF-16 code units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
    const sorted = ['1', '\r', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    expect(Object.keys(JSON.parse(text) as object)).toEqual(sorted);
  });

  test('is one text for one value in any order of names, and parses back to the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        const text = canonicalJson(plain);
        expect(JSON.parse(text)).toEqual(plain);
        expect(canonicalJson(reversed(plain))).toBe(text);
      }),
    );
  });
});

test('the hash of an entry covers its number, its event and the previous hash only', () => {
  const link = { number: 2, event: { b: 1, a: '' }, previous_hash: 'h' };
  const text = '{"event":{"a":"","b":1},"number":2,"previous_hash":"h"}';
  expect(chainHash(link)).toBe(sha256(text));
  expect(chainHash({ ...link, position: 9 } as typeof link)).toBe(sha256(text));
  for (const other of [{ number: 3 }, { event: { b: 1 } }, { previous_hash: '' }])
    expect(chainHash({ ...link, ...other })).not.toBe(sha256(text));
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, part]) => [name, reversed(part)]),
  );
}

import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { issueMessage } from '#shared/http/issue-message.ts';
import {
  agreement,
  filledLine,
  filledPattern,
  httpsUrl,
  httpsUrlOrEmpty,
  line,
  sessionId,
  text,
} from '#shared/model/fields.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('an https URL', () => {
  test.each([
    ...['https://example.com', 'https://example.com:8443/a/b.png?x=1&y=%C3%A4#part'],
    ...['https://[2001:db8::1]/~ada/', "https://example.com/(a),b;c='d'!$*+@"],
  ])('%s', (url) => {
    expect(accepts(httpsUrl, url)).toBe(true);
  });

  test.each([
    ['', 'empty'],
    ['http://example.com', 'not https'],
    ['//example.com/x', 'no scheme'],
    ['javascript:alert(1)', 'a script'],
    ['https://', 'no host'],
    ['https://user:secret@example.com/', 'user info'],
    ['https://example.com@evil.test/', 'user info that looks like a host'],
    ['https://example.com/\u4e2d', 'not ASCII: three bytes a character'],
    ['https://example.com/"><script>', 'quotes and brackets'],
    ['https://example.com/a b', 'a blank'],
    ['https://example.com\\@evil.test', 'a backslash'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'over 2,048 characters'],
  ])('not %s: %s', (url) => {
    expect(accepts(httpsUrl, url)).toBe(false);
  });

  test('can be empty where that clears it', () => {
    expect(accepts(httpsUrlOrEmpty, '')).toBe(true);
  });
});

describe('text', () => {
  const names = ['Ada', '', 'Ådå Lovelace', '李雷 👩‍💻', '{"json": true}', "O'Brien"];
  test.each(names)('%s', (value) => {
    expect([accepts(line(128), value), accepts(text(128), value)]).toEqual([true, true]);
  });

  test.each([
    ['\0', 'NUL'],
    ['a\u001b[31m', 'an escape sequence'],
    ['a\u202eb', 'a bidirectional override'],
    ['a\u2067b', 'a bidirectional isolate'],
    ['a\u007f', 'DEL'],
    ['\ud800', 'half a surrogate pair'],
    ['a'.repeat(129), 'too long'],
    ['😀'.repeat(129), 'too long in characters of two code units each'],
  ])('not %j: %s', (value) => {
    expect([accepts(line(128), value), accepts(text(128), value)]).toEqual([false, false]);
  });

  test('has as many characters as JSON Schema counts, whatever their length in UTF-16', () => {
    for (const character of ['a', 'é', '李', '😀']) {
      const longest = character.repeat(128);
      expect([accepts(line(128), longest), accepts(text(128), longest)]).toEqual([true, true]);
    }
    expect(z.toJSONSchema(line(128))).toMatchObject({ type: 'string', maxLength: 128 });
    const { error } = line(128).safeParse('a'.repeat(129), { error: issueMessage });
    expect(error?.issues).toMatchObject([{ message: 'Must have at most 128 characters' }]);
  });

  const several = ['two\nlines', 'a\ttab', 'carriage\rreturn'];
  test.each(several)('%j is allowed only in a text of several lines', (value) => {
    expect([accepts(line(128), value), accepts(text(128), value)]).toEqual([false, true]);
  });

  test.each(['\u2028', '\u2029'])('the separator %j is not allowed in a line', (value) => {
    expect(accepts(line(128), `a${value}b`)).toBe(false);
  });
});

describe('the agreement of a user', () => {
  test.each([{ tos: true }, { sign_up: true }, { tos: true, sign_up: true }])('%j', (terms) => {
    expect(accepts(agreement, terms)).toBe(true);
  });

  test.each<[unknown, string]>([
    [{}, 'no terms'],
    [{ tos: false }, 'a refusal'],
    [{ tos: '2026-11-21T08:00:00.000Z' }, 'a time, which the service sets'],
    [{ tos: true, marketing: true }, 'unknown terms'],
    [true, 'not an object'],
  ])('not %j: %s', (terms) => {
    expect(accepts(agreement, terms)).toBe(false);
  });
});

test.each([
  ['7d3a1f4e-8c55-4f0e-9a53-0b6f5b1f2c11', true],
  ['7D3A1F4E-8C55-4F0E-9A53-0B6F5B1F2C11', false],
  ['current', false],
  ['7d3a1f4e-8c55-4f0e-9a53-0b6f5b1f2c11#', false],
])('%s is a valid session id: %s', (id, good) => {
  expect(accepts(sessionId, id)).toBe(good);
});

test('a filled line needs a visible character', () => {
  const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u;
  const isNone = /[\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
  const points = [
    ...Array(0x1_00_00).keys(),
    ...Array.from({ length: 0x1_000 }, (_, at) => 0xe_00_00 + at),
  ];
  const schema = filledLine(128);
  const wrong = points
    .map((point) => String.fromCodePoint(point))
    .filter((character) => !isNone.test(character))
    .filter((character) => accepts(schema, ` ${character} `) === unseen.test(character));
  expect(wrong).toEqual([]);
  for (const name of ['😀', '👩‍💻', '\u3164Ada']) expect(accepts(schema, name)).toBe(true);
});

test('the pattern in the documents gives the same result with and without the flag u', () => {
  const names = ['Ada', '😀', ' 👩‍💻 ', '', ' ', '\u200b', '\u3164 \u2800', 'a\u2028b'];
  const expected = [true, true, true, false, false, false, false, false];
  for (const flags of ['', 'u'])
    expect(names.map((name) => new RegExp(filledPattern, flags).test(name))).toEqual(expected);
});

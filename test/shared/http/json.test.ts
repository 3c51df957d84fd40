import httpJsonBodyParser from '@middy/http-json-body-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findProblems } from '#shared/http/json.ts';
import { limits } from '#shared/model/limits.ts';

const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
/** The framework parser's result for a body. In requests, the parser only gets bodies without problems. */
function parsed(text: string): unknown {
  const request = { event: { headers: {}, body: text as unknown, isBase64Encoded: false } };
  (parser.before as (given: typeof request) => void)(request);
  return request.event.body;
}
const problemsOf = (text: string) => findProblems(text).errors;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const innocent = (value: unknown) =>
  !/\\u0000|\\ud[89a-f]|\ufffd|__proto__|constructor/.test(JSON.stringify(value));

describe('accepted JSON', () => {
  test('is every JSON value in any layout, read like JSON.parse', () => {
    const values = fc.jsonValue({ maxDepth: 6 }).filter(innocent);
    fc.assert(
      fc.property(values, fc.constantFrom('', ' ', '\n\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        if (problemsOf(text).some(({ detail }) => /safe integer|control/.test(detail))) return;
        expect(parsed(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is read like JSON.parse, or any other text is refused with a place and a reason', () => {
    const pieces = fc.constantFrom(
      ...'{}[],:"\\ \ufeff',
      ...['"a"', '"a\\u0062"', '1', '-0', '1e400', 'null', '"\\ud800"'],
      ...['"__proto__"', '"constructor"', '"prototype"', '{"a":', '{"a":1,"a":'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const found = problemsOf(text);
        if (found.length === 0) expect(parsed(text)).toEqual(JSON.parse(text));
        for (const { pointer, detail } of found) {
          expect(pointer).toMatch(/^\/body/);
          expect(detail).toMatch(/^(?:Must|Invalid|Duplicate) /);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    '"\\ud83d\\ude00 \\\\ \\" \\/ é"',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '[9007199254740991,-9007199254740991,0.1,1e-400,-0,1.5e3]',
    nested(limits.jsonDepth),
    ' [ ] ',
    'null',
  ])('%s', (text) => {
    expect(parsed(text)).toEqual(JSON.parse(text));
  });
});

describe('refused JSON', () => {
  test.each([
    ['{"a":1,"a":2}', '/body/a', 'Duplicate'],
    ['{"a":1,"\\u0061":2}', '/body/a', 'Duplicate'],
    ['{"x":[0,{"a":1,"b":{"a":1},"a":2}]}', '/body/x/1/a', 'Duplicate'],
    ['{"a/b~c":"\\ud800"}', '/body/a~1b~0c', 'surrogate'],
    ['["\\udc00\\ud800"]', '/body/0', 'surrogate'],
    ['{"a":["", "\ufffd"]}', '/body/a/1', 'U+FFFD'],
    ['{"a":"\\ufffd"}', '/body/a', 'U+FFFD'],
    ['{"a":"\\u0000"}', '/body/a', 'NUL'],
    ['{"\\ud800":1}', '/body/\ud800', 'surrogate'],
    ['{"a\\nb":1}', '/body/a\nb', 'control characters'],
    ['{"a":{"__proto__":{"admin":true}}}', '/body/a/__proto__', '__proto__'],
    ['{"\\u005f_proto__":1}', '/body/__proto__', '__proto__'],
    ['[1e400]', '/body/0', 'finite'],
    ['[0,-1e999]', '/body/1', 'finite'],
    ['9007199254740993', '/body', 'safe integer'],
    ['{"n":1e300}', '/body/n', 'safe integer'],
    ['', '/body', 'JSON'],
    ['{a:1}', '/body', 'JSON'],
    ['[1,]', '/body', 'JSON'],
    ['[1] 2', '/body', 'position 4'],
    ['NaN', '/body', 'JSON'],
    ['"a\u0000b"', '/body', 'JSON'],
    ['\ufeff{}', '/body', 'byte order mark'],
  ])('%j', (text, pointer, reason) => {
    expect(problemsOf(text)).toEqual([{ pointer, detail: expect.stringContaining(reason) }]);
  });

  test('has nesting beyond the limit, anywhere and at any depth', () => {
    const one = nested(limits.jsonDepth);
    const pointer = `/body/a${'/0'.repeat(limits.jsonDepth - 1)}`;
    const detail = expect.stringContaining('32');
    expect(problemsOf(`{"a":${one}}`)).toEqual([{ pointer, detail }]);
    expect(problemsOf(nested(limits.body / 2))).toHaveLength(1);
  });

  test('is reported with every wrong place', () => {
    const found = problemsOf('{"a":"\\ud800","b":[1e999,"\\u0000"],"a":1}');
    const places = found.map(({ pointer }) => pointer);
    expect(places).toEqual(['/body/a', '/body/b/0', '/body/b/1', '/body/a']);
  });

  test('has a duplicate name in any object, at any depth, in any spelling', () => {
    const names = fc
      .string({ unit: 'grapheme-ascii', maxLength: 5 })
      .filter((s) => s !== '__proto__');
    const spelled = (name: string) =>
      `"${[...name].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
    fc.assert(
      fc.property(names, fc.jsonValue().filter(innocent), fc.nat(20), (name, value, depth) => {
        const twice = `{${JSON.stringify(name)}:1,"":{},${spelled(name)}:${JSON.stringify(value)}}`;
        const found = problemsOf('{"x":['.repeat(depth / 2) + twice + ']}'.repeat(depth / 2));
        expect(found.map(({ detail }) => detail)).toContain('Duplicate field');
      }),
    );
  });

  const unreadableOrWrong: [text: string, unreadable: boolean][] = [
    ['"\\u0000"', false],
    ['{"a":"\\ud800","b":["\ufffd",1e999,9007199254740993]}', false],
    ['{"a":1,"a":2}', true],
    ['{"__proto__":1}', true],
    ['{"a":{"constructor":1}}', true],
    ['{"\\u0000":1}', true],
    ['{"\ufffd":1}', true],
    [nested(limits.jsonDepth + 1), true],
    ['{', true],
    // After the maximum number of reported wrong values.
    [`[${'"\\u0000",'.repeat(20)}{"__proto__":1}]`, true],
    [`[${'1e999,'.repeat(25)}{"a":1,"a":2}]`, true],
    [`[${'1e999,'.repeat(25)}${nested(limits.jsonDepth)}]`, true],
    [`[${'1e999,'.repeat(25)}1]`, false],
  ];
  const cases = unreadableOrWrong.map((each) => [each[0].slice(0, 40), each[1], each[0]] as const);
  test.each(cases)('%s is unreadable: %s', (_, unreadable, text) => {
    const found = findProblems(text);
    expect([found.unreadable, found.errors.length > 0]).toEqual([unreadable, true]);
    if (!unreadable) expect(parsed(text)).toEqual(JSON.parse(text));
  });

  test('causes at most 20 errors, so that a small body cannot cause a huge response', () => {
    const name = 'n'.repeat(30_000);
    const wrong = `{"${name}":[${Array.from({ length: 3_000 }, () => '"\\u0000"').join(',')}]}`;
    expect(problemsOf(wrong)).toHaveLength(20);
  });

  test('cannot reach the prototype of objects', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    expect(problemsOf(text)).toHaveLength(2);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

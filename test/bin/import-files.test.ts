/** @module-tag alone */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../bin/import/read-csv.ts';
import { readJsonObjects } from '../../bin/import/read-json.ts';
import { type FileRecord, readLines } from '../../bin/import/read-lines.ts';
import { newFolder } from '../support/folder.ts';

const folder = newFolder();

describe('reading a file of', () => {
  async function recordsOf(
    reader: (file: string) => AsyncIterable<FileRecord>,
    text: string,
  ): Promise<unknown[]> {
    const file = join(folder, 'records');
    await writeFile(file, text);
    const all: unknown[] = [];
    for await (const record of reader(file))
      all.push([record.line, 'value' in record ? record.value : record.problem]);
    return all;
  }

  test('JSON lines reports the bytes that are done after each line', async () => {
    const file = join(folder, 'share.jsonl');
    await writeFile(file, '{"a":"é"}\r\n{"b":1}\n\n{"c":1}\n');
    const shares: number[] = [];
    for await (const { bytes } of readLines(file)) shares.push(bytes);
    expect(shares).toEqual([12, 20, 29]);
  });

  test('JSON lines splits at line feeds only', async () => {
    const texts = ['a\u2028b', 'c\u2029d', 'e\u0085f', '😀'.repeat(40_000)];
    const text = `\uFEFF${JSON.stringify(texts[0])}\r\n\n${texts
      .slice(1)
      .map((each) => JSON.stringify(each))
      .join('\n')}`;
    expect(await recordsOf(readLines, text)).toEqual([
      [1, texts[0]],
      [3, texts[1]],
      [4, texts[2]],
      [5, texts[3]],
    ]);
  });

  test('JSON lines reports a line that is too long, and continues', async () => {
    const text = `1\n"${'x'.repeat(200_000)}"\n2\n"${'x'.repeat(98)}"\n"${'x'.repeat(99)}"`;
    expect(await recordsOf((file) => readLines(file, 100), text)).toEqual([
      [1, 1],
      [2, 'Has more than 100 characters'],
      [3, 2],
      [4, 'x'.repeat(98)],
      [5, 'Has more than 100 characters'],
    ]);
  });

  test.each(['\n', '\r\n'])(
    'CSV numbers a row by its first line, reports a row with other fields, and continues (%j)',
    async (end) => {
      const rows = ['a,b', '1,"x\ny"', '', '  ', '2,"z', '"', '3,x,y', '4', '5,', '6,v'];
      expect(await recordsOf(readCsv, rows.join(end))).toEqual([
        [2, { a: '1', b: 'x\ny' }],
        [6, { a: '2', b: `z${end}` }],
        [8, 'Has 3 fields, and the header 2'],
        [9, 'Has 1 fields, and the header 2'],
        [10, { a: '5' }],
        [11, { a: '6', b: 'v' }],
      ]);
    },
  );
});

describe('reading a JSON file', () => {
  const users = [
    { localId: 'a', text: '[{"\\"}]' },
    { localId: 'b', more: [{ c: [[]] }] },
  ];
  const all = JSON.stringify(users);
  async function recordsOf(text: string | Buffer): Promise<[line: number, value: unknown][]> {
    const file = join(folder, 'users.json');
    await writeFile(file, text);
    const found: [number, unknown][] = [];
    for await (const record of readJsonObjects(file, 'users'))
      found.push([record.line, 'value' in record ? record.value : record.problem]);
    return found;
  }

  test.each([
    ['an array', all, [1, 1]],
    ['the list of an object', `{"users":${all}}`, [1, 1]],
    [
      'a list with more around it',
      `{"v":[1,{"x":[]}],"users" : [\n${all.slice(1)},"next":{"n":[]}}\n`,
      [2, 2],
    ],
    [
      'pages, one after another',
      users.map((each) => `{"users":[${JSON.stringify(each)}]}\n`).join('\n'),
      [1, 3],
    ],
    ['objects, one after another', users.map((each) => JSON.stringify(each)).join(',\r\n'), [1, 2]],
    ['a file with a byte order mark', `\uFEFF${all}`, [1, 1]],
    [
      'objects longer than what is read at a time',
      `[{"long":"${'x'.repeat(200_000)}"},\n${all.slice(1)}`,
      [1, 2, 2],
    ],
  ])('finds the users of %s', async (_, text, lines) => {
    const found = await recordsOf(text);
    expect(found.map(([line]) => line)).toEqual(lines);
    expect(found.map(([, value]) => value).slice(-2)).toEqual(users);
  });

  test.each(['', ' \n', '[]', '{"users":[]}'])('finds no users in %j', async (text) => {
    expect(await recordsOf(text)).toEqual([]);
  });

  const object = 'not a JSON object';
  test.each([
    ['a table', 'localId,email\na,a@example.com\n', `1: ${object}`],
    ['a text without JSON', '\nno JSON at all', `2: ${object}`],
    ['bytes of UTF-16', Buffer.from(`\uFEFF${all}`, 'utf16le'), `1: ${object}`],
    ['a text', '"users"', `1: ${object}`],
    ['a number', '5', `1: ${object}`],
    ['an array of numbers', '[\n1, 2]', `2: ${object}`],
    ['an array of arrays', `[${all}]`, `1: ${object}`],
    ['a list of texts', '{"users":["a","b"]}', `1: ${object}`],
    ['a list with null', '{"users":[{"localId":"a"},\nnull]}', `2: ${object}`],
    ['text after the objects', `${all}\n\nend`, `3: ${object}`],
    ['a bracket too many', `${all}]`, `1: ${object}`],
    ['a brace too many', `{"users":${all}}}`, `1: ${object}`],
    ['an object in braces of the wrong kind', '[{"localId":"a"]]', '1: not JSON'],
    ['an object with an unquoted name', '[{"localId":"a"},\n{localId:"b"}]', '2: not JSON'],
    ['words around the list', `{"users":${all}\n, next}`, '1: not JSON'],
    ['words before the list', `{next "users":${all}}`, '1: not JSON'],
    ['an object that is cut', '[{"localId":"a"},\n{"localId":', '2: the file ends too early'],
    ['an array that is cut', '[{"localId":"a"}\n', '2: the file ends too early'],
    ['a brace in place of a bracket', '{"a":[}', '1: the file ends too early'],
  ])('refuses %s with the line', async (_, text, said) => {
    await expect(recordsOf(text)).rejects.toThrow(`/users.json:${said}.`);
  });
});

describe('an invalid quote in a CSV file ends the run with the line where it opens', () => {
  const rows = ['a,b', '1,"x\ny ""z"""', '', '2,v'];
  const quotes: [string, string[], string][] = [
    ['that is not closed', ['3,"y', '4,z', '5,w'], '6: The quote that opens here is not closed'],
    ['after a break in its row', ['"p\nq","r'], '7: The quote that opens here is not closed'],
    [
      'that ends at a quote of a later row',
      ['3,"y', '', '4,"z"', '5,w'],
      '6: The quote that opens here is not closed, or a quote in line 8 is not doubled',
    ],
    ['within a field', ['3,y"z', '4,w'], '6: A quote within a field must be doubled, and'],
  ];
  const ends = ['\n', '\r\n'];

  test.each(ends.flatMap((end) => quotes.map((each) => [...each, end] as const)))(
    '%s',
    async (_, more, said, end) => {
      const file = join(folder, 'quote.csv');
      await writeFile(file, [...rows, ...more].join(end));
      const read = async () => {
        for await (const { line } of readCsv(file)) expect([2, 5]).toContain(line);
      };
      await expect(read()).rejects.toThrow(`${file}:${said}`);
      await expect(read()).rejects.toThrow(' (column b).');
    },
  );

  test('in the header', async () => {
    const file = join(folder, 'quote.csv');
    await writeFile(file, '"a,b\n1,2\n');
    await expect(readCsv(file).next()).rejects.toThrow(`${file}:1: The quote that opens here is`);
  });
});

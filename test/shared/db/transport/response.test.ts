import { once } from 'node:events';
import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResponseReader, type Whole } from '#shared/db/transport/response.ts';

/** The result of Node's client for a connection that sends this and ends. */
async function readByNode(bytes: Buffer): Promise<Omit<Whole, 'keepsOpen'>> {
  const connection = new Duplex({
    read: () => {},
    write: (_chunk, _encoding, done) => {
      connection.push(bytes);
      connection.push(null);
      done();
    },
  });
  const sent = request({ method: 'POST', createConnection: () => connection });
  sent.end('{}');
  const [response] = await once(sent, 'response');
  const { statusCode, headers } = response;
  return { statusCode, headers, body: await buffer(response) };
}

/** The reader's result for bytes that arrive in these parts, followed by the end of the connection. */
function read(parts: readonly Buffer[]): Whole | undefined {
  const reader = createResponseReader();
  for (const part of parts) {
    const whole = reader.read(part);
    if (whole) return whole;
  }
  return reader.end();
}
const readText = (text: string) => read([Buffer.from(text)]);
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

/** A response without a body whose lines before the blank one have this many bytes. */
const headOf = (size: number) => `${'HTTP/1.1 200 OK\r\na: '.padEnd(size, 'b')}\r\n\r\n`;

const name = fc.stringMatching(/^x-[A-Za-z0-9-]{1,12}$/);
const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const interims = fc.constantFrom('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((body) => Buffer.from(body)),
  fc.constantFrom('', '{}', '\r\n\r\n0\r\n\r\n').map((body) => Buffer.from(body)),
);
const framings = fc.constantFrom('length', 'chunks', 'end');
const responses = fc
  .record({
    interim: interims,
    status: fc.constantFrom('200 OK', '400 Bad Request', '503', '200 '),
    headers: fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key.toLowerCase() }),
    framing: framings,
    body: bodies,
    cuts: fc.array(fc.nat(600), { maxLength: 6 }),
    size: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ interim, status, headers, framing, body, cuts, size }) => {
    const lines = headers.map(([key, text]) => `${key}: ${text}\r\n`).join('');
    const said = {
      length: `Content-Length:${body.length}\r\n`,
      chunks: 'transfer-encoding: chunked\r\n',
      end: '',
    };
    const content = framing === 'chunks' ? inChunks(body, size) : body;
    const head = `${interim}HTTP/1.1 ${status}\r\n${lines}${said[framing]}\r\n`;
    const bytes = Buffer.concat([Buffer.from(head), content]);
    const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b)];
    return { bytes, parts: at.map((from, i) => bytes.subarray(from, at[i + 1])), framing };
  });

function inChunks(body: Buffer, size: number): Buffer {
  const chunks = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)};a="b"\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\nx-trailer: 1\r\n\r\n')]);
}

test("any response, in any parts, is read as by Node's own client", async () => {
  await fc.assert(
    fc.asyncProperty(responses, async ({ bytes, parts, framing }) => {
      const { statusCode, headers, body, keepsOpen } = read(parts)!;
      expect({ statusCode, headers: { ...headers }, body }).toEqual(await readByNode(bytes));
      expect(keepsOpen).toBe(framing !== 'end');
    }),
    { numRuns: 1_000 },
  );
});

describe('the connection is not reused', () => {
  test.each([
    ['says that it closes', 'HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 2\r\n\r\n{}'],
    ['is of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}'],
    ['goes on after its length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK'],
    ['goes on after its last chunk', `${chunked}2\r\n{}\r\n0\r\n\r\nHTTP`],
    ['ends with the connection', 'HTTP/1.1 200 OK\r\n\r\n{}'],
  ])('after a response that %s', (_, text) => {
    expect(readText(text)).toMatchObject({ body: Buffer.from('{}'), keepsOpen: false });
  });
});

test.each(['204 No Content', '304 Not Modified'])('%s has no body', (status) => {
  const [body, keepsOpen] = [Buffer.alloc(0), true];
  expect(readText(`HTTP/1.1 ${status}\r\n\r\n`)).toMatchObject({ body, keepsOpen });
});

test('headers of one name are joined into a list', () => {
  const text = 'HTTP/1.1 200 OK\r\nVia: a\r\nvia:b\r\n__proto__: c\r\ncontent-length: 0\r\n\r\n';
  expect(readText(text)?.headers).toEqual(
    Object.assign(Object.create(null), { via: 'a, b', ['__proto__']: 'c', 'content-length': '0' }),
  );
});

describe('EPROTO for', () => {
  const noBegin = 'It does not begin with the version and a status.';
  const noName = 'A header has no name.';
  const noNumber = 'Its length is no number.';
  const noLength = 'A chunk has no length.';
  const tooLong = 'Its headers are too long.';
  const wrongEnd = 'A chunk is longer than it says.';
  const gzip = 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n';
  test.each([
    ['a text that is not HTTP', 'hello\r\n\r\n', noBegin],
    ['a missing status line', '\r\n\r\n{}', noBegin],
    ['a blank before the status line', ' HTTP/1.1 200 OK\r\n\r\n', noBegin],
    ['another version of HTTP', 'HTTP/2.0 200 OK\r\n\r\n', noBegin],
    ['no status', 'HTTP/1.1 OK\r\n\r\n', noBegin],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: a\r\n\r\n', noName],
    ['a header that is folded', 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n', noName],
    ['a length that is not a number', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n', noNumber],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', noNumber],
    ['an encoding that was not requested', gzip, 'Its encoding is none that was asked for.'],
    ['a chunk without a length', `${chunked}\r\n\r\n`, noLength],
    ['a chunk whose length is too long', `${chunked}${'1'.repeat(9)}\r\n`, noLength],
    ['a chunk that is longer than its length', `${chunked}1\r\n{}\r\n0\r\n\r\n`, wrongEnd],
    ['a chunk without an end', `${chunked}2\r\n{}XX0\r\n\r\n`, wrongEnd],
    ['more than 16 KB of headers', headOf(16_385), tooLong],
    ['more than 16 KB of headers without an end', headOf(16_385).slice(0, 16_385), tooLong],
  ])('%s', (_, text, why) => {
    const message = `The response is not HTTP/1.1. ${why}`;
    expect(() => readText(text)).toThrow(expect.objectContaining({ code: 'EPROTO', message }));
  });
});

test('headers of 16 KB are read, with a body of any size after them', () => {
  expect(readText(headOf(16_384).slice(0, 16_384))).toBeUndefined();
  expect(readText(headOf(16_384))).toMatchObject({ statusCode: 200 });
  const large = `HTTP/1.1 200 OK\r\nA: b\r\ncontent-length: 20000\r\n\r\n${'c'.repeat(20_000)}`;
  expect(readText(large)).toMatchObject({ headers: { a: 'b' }, body: { length: 20_000 } });
});

const lengths = ['1a', '0000001A', '1a ; a=b', '1A\t;a'];
test.each(lengths)('a chunk of length %s has 26 bytes', (length) => {
  const text = `${chunked}${length}\r\n${'c'.repeat(26)}\r\n0\r\n\r\n`;
  expect(readText(text)).toMatchObject({ body: { length: 26 }, keepsOpen: true });
});

test.each([
  ['the headers', 'HTTP/1.1 200 OK\r\n'],
  ['the body', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}'],
  ['a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{}'],
  ['the last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n'],
])('the response is incomplete while a part of %s is missing', (_, text) => {
  expect(readText(text)).toBeUndefined();
});

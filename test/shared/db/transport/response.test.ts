import { once } from 'node:events';
import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResponseReader, type Whole } from '#shared/db/transport/response.ts';

/** What Node's client reads of a connection that says this and ends. */
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

/** What the reader makes of bytes that come in these parts, and of the end of the connection after them. */
function read(parts: readonly Buffer[]): Whole | undefined {
  const reader = createResponseReader();
  for (const part of parts) {
    const whole = reader.read(part);
    if (whole) return whole;
  }
  return reader.end();
}
const readText = (text: string) => read([Buffer.from(text)]);

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

test("any response, however it is cut, is read as Node's own client reads it", async () => {
  await fc.assert(
    fc.asyncProperty(responses, async ({ bytes, parts, framing }) => {
      const { statusCode, headers, body, keepsOpen } = read(parts)!;
      expect({ statusCode, headers: { ...headers }, body }).toEqual(await readByNode(bytes));
      expect(keepsOpen).toBe(framing !== 'end');
    }),
    { numRuns: 1_000 },
  );
});

describe('no request follows on the connection', () => {
  test.each([
    ['says that it closes', 'HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 2\r\n\r\n{}'],
    ['is of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}'],
    ['goes on after its length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK'],
    [
      'goes on after its last chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nHTTP',
    ],
    ['ends with the connection', 'HTTP/1.1 200 OK\r\n\r\n{}'],
  ])('of a response that %s', (_, text) => {
    expect(readText(text)).toMatchObject({ body: Buffer.from('{}'), keepsOpen: false });
  });
});

test.each(['204 No Content', '304 Not Modified'])('%s has no body', (status) => {
  const [body, keepsOpen] = [Buffer.alloc(0), true];
  expect(readText(`HTTP/1.1 ${status}\r\n\r\n`)).toMatchObject({ body, keepsOpen });
});

test('headers of one name are one list', () => {
  const text = 'HTTP/1.1 200 OK\r\nVia: a\r\nvia:b\r\n__proto__: c\r\ncontent-length: 0\r\n\r\n';
  expect(readText(text)?.headers).toEqual(
    Object.assign(Object.create(null), { via: 'a, b', ['__proto__']: 'c', 'content-length': '0' }),
  );
});

describe('EPROTO for', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['another version of it', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: a\r\n\r\n'],
    ['a header that is folded', 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['an encoding that was not asked for', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n'],
    ['a chunk without a length', `${chunked}\r\n\r\n`],
    ['a chunk whose length is too long', `${chunked}${'1'.repeat(9)}\r\n`],
    ['a chunk that is longer than it says', `${chunked}1\r\n{}\r\n0\r\n\r\n`],
    ['a chunk without an end', `${chunked}2\r\n{}XX0\r\n\r\n`],
    ['headers of 16 KB and more', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(16_384)}`],
  ])('%s', (_, text) => {
    expect(() => readText(text)).toThrow(expect.objectContaining({ code: 'EPROTO' }));
  });
});

test.each([
  ['the headers', 'HTTP/1.1 200 OK\r\n'],
  ['the body', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}'],
  ['a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{}'],
  ['the last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n'],
])('there is no response as long as a part of %s is missing', (_, text) => {
  expect(readText(text)).toBeUndefined();
});

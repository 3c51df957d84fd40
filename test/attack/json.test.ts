import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import type { NamedRoute } from '#shared/contract/paths.ts';
import { limits } from '#shared/model/limits.ts';
import { credentialFor, pointersOf, routeCaller } from '../contract/calls.ts';
import { sampleOf } from '../contract/samples.ts';
import { type Person, startWorld } from '../support/world.ts';

/** Texts that two parsers could interpret differently, which test/contract/input.test.ts does not send. */

const world = await startWorld({ subscribers: false });
const { basic } = world.project;
const call = routeCaller(world);
/** Forms are attacked in test/shared/http/oauth-routes.test.ts. */
const withBody = (routes as readonly NamedRoute[]).filter(
  ({ body, accepts }) => body && accepts !== 'form',
);
let person: Person;
let before: unknown[];
beforeAll(async () => {
  person = await world.user();
  before = await world.table.all();
});
const auth = (route: (typeof routes)[number]) => credentialFor(route, world, person);
const search = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
  world.call({ method: 'POST', path: '/users/search', auth: basic, body: raw, headers });
const update = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
  world.call({ method: 'PUT', path: `/users/${person.uid}`, auth: basic, body: raw, headers });

describe('a name that every JavaScript object inherits is an unknown field', () => {
  const inherited = [
    ...['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'],
    ...['__defineGetter__', '__lookupSetter__', 'then', 'toJSON', 'length', '0', '$ref', ''],
  ];
  test.each(withBody)('$name', async (route) => {
    const right = sampleOf(route).body ?? {};
    // The strict schemas of all routes are built in the same way.
    for (const name of route === withBody[0] ? inherited : ['constructor', 'then']) {
      const entries = [...Object.entries(right), [name, { polluted: true, admin: true }]];
      const answer = await call(route, { body: Object.fromEntries(entries), auth: auth(route) });
      expect([answer.status, ...pointersOf(answer)]).toEqual([400, `/body/${name}`]);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a duplicate name is found at any depth', () => {
  test.each([
    ['{"name":{"given_name":"a","given_name":"b"}}', '/body/name/given_name'],
    ['{"name":{"given_name":"a","given\\u005fname":"b"}}', '/body/name/given_name'],
    ['{"urls":[{"value":"https://a.example","value":"https://b.example"}]}', '/body/urls/0/value'],
    ['{"disabled":false,"display_name":"a","disabled":true}', '/body/disabled'],
    ['{"disabled":false,"\\u0064\\u0069sabled":true}', '/body/disabled'],
    ['{"a":{"b":{"c":1,"c":1}}}', '/body/a/b/c'],
  ])('%s', async (raw, pointer) => {
    const answer = await update(raw);
    expect([answer.status, ...pointersOf(answer)]).toEqual([400, pointer]);
    expect(answer.body.errors[0].detail).toBe('Duplicate field');
  });

  test('a name that differs in case or form is an unknown field', async () => {
    for (const name of ['Disabled', 'disabled ', 'disab\u200bled', 'dısabled']) {
      const answer = await update(JSON.stringify({ display_name: 'a', [name]: true }));
      expect([answer.status, ...pointersOf(answer)]).toEqual([400, `/body/${name}`]);
    }
  });
});

describe('a number is read exactly, or refused', () => {
  const uids = `"uids":["0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a0f"]`;
  const numbers: [string, 200 | 400][] = [
    ['1e1', 200],
    ['10.0', 200],
    ['100E-1', 200],
    ['1e2', 200],
    // A limit above the maximum returns a full page.
    ['101', 200],
    ['1.5', 400],
    ['0', 400],
    ['-0', 400],
    ['-1', 400],
    ['1e-400', 400],
    ['1e309', 400],
    ['-1e309', 400],
    ['9007199254740993', 400],
    ['99999999999999999999999999999999', 400],
    ['0.9999999999999999999999', 200],
    ['1'.padEnd(60_000, '0'), 400],
  ];
  const shown = numbers.map(([number, status]) => [number.slice(0, 20), status, number] as const);
  test.each(shown)('limit %s: %i', async (_, status, number) => {
    const answer = await search(`{${uids},"limit":${number}}`);
    expect(answer.status).toBe(status);
    if (status === 400) expect(pointersOf(answer)).toEqual(['/body/limit']);
  });

  test.each(['01', '+1', '.5', '1.', '0x10', '1_000', '1n', 'Infinity', '１'])(
    'limit %s: is invalid JSON',
    async (number) => {
      const answer = await search(`{${uids},"limit":${number}}`);
      expect([answer.status, ...pointersOf(answer)]).toEqual([400, '/body']);
    },
  );

  test('an offset of minus zero gives no negative number', async () => {
    const { status, body } = await search(`{${uids},"offset":-0}`);
    expect([status, body]).toEqual([200, { total: 0, count: 0, result: [] }]);
  });
});

describe('bytes that are not UTF-8 are refused, with the pointer of the field', () => {
  const around = (bytes: number[]) =>
    Buffer.concat([Buffer.from('{"display_name":"a'), Buffer.from(bytes), Buffer.from('b"}')]);
  test.each([
    ['a lone continuation', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong NUL', [0xc0, 0x80]],
    ['half a character as CESU-8', [0xed, 0xa0, 0x80]],
    ['a cut off character', [0xe2, 0x82]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['0xff', [0xff]],
    ['Latin-1', [0xe9]],
  ])('%s', async (_, bytes) => {
    const answer = await update(around(bytes));
    expect([answer.status, ...pointersOf(answer)]).toEqual([400, '/body/display_name']);
  });

  test('U+FEFF is accepted inside a string, and refused as a byte order mark', async () => {
    const bom = Buffer.from('\ufeff{"display_name":"a"}');
    const answer = await update(bom);
    expect([answer.status, ...pointersOf(answer)]).toEqual([400, '/body']);
  });
});

describe('a compressed body is refused, with any Content-Encoding', () => {
  const plain = Buffer.from('{"display_name":"compressed"}');
  test.each([
    ['gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain],
    ['x-unknown', plain],
    ['gzip, gzip', gzipSync(gzipSync(plain))],
    // A bomb: 10 MB of zeros.
    ['gzip', gzipSync(Buffer.alloc(10_000_000))],
  ])('%s: gets 415, and 400 without the header', async (coding, bytes) => {
    expect((await update(bytes, { 'content-encoding': coding })).status).toBe(415);
    if (!bytes.equals(plain)) expect((await update(bytes)).status).toBe(400);
  });
});

describe('the limit of 64 KiB counts bytes', () => {
  /** Padding with blanks changes only the length. */
  const padded = (text: string, bytes: number) =>
    Buffer.from(text + ' '.repeat(bytes - Buffer.byteLength(text)));
  test.each(['a', 'é', '李', '👩'])('with %s', async (character) => {
    const text = `{"uids":["${person.uid}"],"limit":1,"offset":0}`;
    expect((await search(padded(text, limits.body))).status).toBe(200);
    expect((await search(padded(text, limits.body + 1))).status).toBe(413);
    const filled = (bytes: number) => padded(`{"x":"${character.repeat(15_000)}"}`, bytes);
    expect((await search(filled(limits.body))).status).toBe(400);
    expect((await search(filled(limits.body + 1))).status).toBe(413);
  });

  test('a deeply nested body gets a small 400', async () => {
    for (const route of withBody) {
      const raw = `{"a":${'['.repeat(32_000)}${']'.repeat(32_000)}}`;
      const answer = await call(route, { raw, auth: auth(route) });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toHaveLength(1);
      expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
    }
  });

  test('an error repeats at most 256 characters of a name, for at most 20 fields', async () => {
    const name = '/'.repeat(limits.importBody - 1_000);
    const numbers = Array.from({ length: 25 }, () => 2 ** 53);
    const answer = await world.call({
      method: 'POST',
      path: '/users/import',
      auth: basic,
      body: JSON.stringify({ users: [], [name]: numbers }),
    });
    expect(answer.status).toBe(400);
    // Each slash is `~1` in a pointer.
    const places = Array.from({ length: 20 }, (_, i) => `/body/${'~1'.repeat(256)}/${i}`);
    expect(pointersOf(answer)).toEqual(places.toSorted());
  });
});

test('none of these requests has written anything', async () => {
  expect(await world.table.all()).toEqual(before);
});

describe('different spellings of the same JSON mean the same', () => {
  test.each([
    '{"display_name":"Ada \\ud83d\\udc69 / \\"x\\""}',
    '{"display_name":"\\u0041da \\uD83D\\uDC69 \\/ \\u0022x\\u0022"}',
    ' \t\r\n{ "display_name" : "Ada 👩 / \\"x\\"" } \n',
    '{"\\u0064isplay_name":"Ada 👩 / \\u0022x\\""}',
  ])('%s', async (raw) => {
    const { status, body } = await update(raw);
    expect([status, body.display_name]).toEqual([200, 'Ada 👩 / "x"']);
  });
});

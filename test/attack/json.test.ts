import { beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { pointersOf } from '../contract/calls.ts';
import { type Person, startWorld } from '../support/world.ts';

/**
 * Texts that two parsers could interpret differently. The parser's own: test/shared/http/json.test.ts; an unknown field of
 * every route, and bytes that are not UTF-8 or compressed: test/contract/input.test.ts.
 */

const world = await startWorld({ subscribers: false });
const { basic } = world.project;
let person: Person;
let before: unknown[];
beforeAll(async () => {
  person = await world.user();
  before = await world.table.all();
});
const search = (raw: string | Uint8Array) =>
  world.call({ method: 'POST', path: '/users/search', auth: basic, body: raw });
const update = (raw: string) =>
  world.call({ method: 'PUT', path: `/users/${person.uid}`, auth: basic, body: raw });

test.each([
  ...['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'],
  ...['__defineGetter__', '__lookupSetter__', 'then', 'toJSON', 'length', '0', '$ref', ''],
])('a name that every JavaScript object inherits is an unknown field: %j', async (name) => {
  const polluting = { polluted: true, admin: true };
  const answer = await update(JSON.stringify({ display_name: 'a', [name]: polluting }));
  expect([answer.status, ...pointersOf(answer)]).toEqual([400, `/body/${name}`]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a name that differs in case or form is an unknown field', async () => {
  for (const name of ['Disabled', 'disabled ', 'disab\u200bled', 'dısabled']) {
    const answer = await update(JSON.stringify({ display_name: 'a', [name]: true }));
    expect([answer.status, ...pointersOf(answer)]).toEqual([400, `/body/${name}`]);
  }
});

test('an offset of minus zero gives no negative number', async () => {
  const { status, body } = await search(
    '{"uids":["0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a0f"],"offset":-0}',
  );
  expect([status, body]).toEqual([200, { total: 0, count: 0, result: [] }]);
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

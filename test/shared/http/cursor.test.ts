import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CursorScope, makeCursor, nextLink, toPage } from '#shared/http/cursor.ts';
import { ApiError } from '#shared/model/errors.ts';
import { anyCharacter } from '../../support/characters.ts';

const scope: CursorScope = {
  key: 'of-the-project',
  caller: 'ada',
  path: '/workspaces/wid-1/users',
  query: { status: 'accepted', limit: 5 },
};
const cursor = makeCursor('uid-9', scope);
const read = (text: string, of: CursorScope = scope) => toPage({ cursor: text }, of, 20);
function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof ApiError ? error.errors?.map(({ pointer }) => pointer) : error;
  }
}

describe('a page', () => {
  test('begins at the offset or at the start, with the requested or the default size', () => {
    expect(toPage({}, scope, 20)).toEqual({ offset: 0, limit: 20 });
    expect(toPage({ offset: 40, limit: 7 }, scope, 20)).toEqual({ offset: 40, limit: 7 });
  });

  test('continues after the position of a cursor, for every position and size', () => {
    const positions = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(positions, fc.integer({ min: 1, max: 100 }), (position, limit) => {
        const text = makeCursor(position, scope);
        const other = { ...scope, query: { ...scope.query, limit, cursor: text } };
        expect(read(text, other)).toEqual({ offset: 0, limit: 20, after: position });
      }),
    );
  });

  test('ignores the order of filters, and filters that are unset', () => {
    const many = { ...scope, query: { role: 'admin', query: 'a', user_id: undefined } };
    const text = makeCursor('p', many);
    expect(read(text, { ...scope, query: { query: 'a', role: 'admin' } }).after).toBe('p');
  });
});

describe('refuses a cursor', () => {
  const [position = '', signature = ''] = cursor.split('.');
  const elsewhere = Buffer.from('uid-8').toString('base64url');
  test.each([
    ['of another project', { key: 'of-another' }],
    ['of another caller', { caller: 'bob' }],
    ['of another workspace', { path: '/workspaces/wid-2/users' }],
    ['of another status', { query: { status: 'pending' } }],
    ['of a narrower filter', { query: { status: 'accepted', role: 'admin' } }],
    ['of no filter', { query: {} }],
  ])('%s', (_, change) => {
    expect(refusal(() => read(cursor, { ...scope, ...change }))).toEqual(['/query/cursor']);
  });

  test.each([
    ['another position', `${elsewhere}.${signature}`],
    ['without signature', position],
    ['empty signature', `${position}.`],
    ['signature cut off', cursor.slice(0, -1)],
    ['signature longer', `${cursor}A`],
    ['a further part', `${cursor}.x`],
    ['padding', `${cursor}==`],
    ['position not canonical', `${position}=.${signature}`],
    ['a blank', ` ${cursor}`],
    ['empty', ''],
    ['another text', 'null'],
  ])('changed in its text: %s', (_, text) => {
    expect(refusal(() => read(text))).toEqual(['/query/cursor']);
  });

  test('of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(refusal(() => read(text))).toEqual(['/query/cursor']);
      }),
    );
  });
});

test('the Link to the next page keeps filters and size, and replaces offset and cursor', () => {
  const query = { status: 'accepted', limit: 5, offset: 10, cursor: undefined, role: undefined };
  const link = nextLink('uid-9', 'https://id.example.com/x', { ...scope, query });
  const [, url = ''] = /^<(.+)>; rel="next"$/.exec(link) ?? [];
  const kept = { status: 'accepted', limit: '5', cursor };
  expect([...new URL(url).searchParams]).toEqual(Object.entries(kept));
});

/** @module-tag engine */
import { beforeAll, describe, expect, test } from 'vitest';
import { query, type Range } from '#shared/db/query.ts';
import { changed } from '../../faults/fault.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();
const member = (i: number) => `MEMBER#${String(i).padStart(2, '0')}`;
const members = Array.from({ length: 12 }, (_, i) => member(i));
const at = (sk: string) => ({ pk: 'WS#1', sk });
const attributes = { by_member_pk: 'USER#1', role: 'x', more: 'y' };

beforeAll(() =>
  faults.seed([
    ...members.map((sk) => ({ pk: 'WS#1', sk, by_member_sk: sk, ...attributes })),
    { pk: 'WS#1', sk: 'MEMBER' },
    { pk: 'WS#1', sk: 'WS' },
    { pk: 'WS#1', sk: 'INVITE#00' },
    { pk: 'WS#11', sk: 'MEMBER#00' },
  ]),
);

async function ask(range: Partial<Range> = {}) {
  const { items, more } = await request(() =>
    query({ partition: 'WS#1', prefix: 'MEMBER#', ...range }),
  );
  return { found: items.map(({ sk }) => sk), more };
}

describe('a range', () => {
  test('returns exactly the items of its partition and prefix, in key order, with a consistent read', async () => {
    expect(await ask()).toEqual({ found: members, more: false });
    expect(faults.calls).toMatchObject([{ operation: 'Query', body: { ConsistentRead: true } }]);
    expect(faults.calls[0]?.body).not.toHaveProperty('FilterExpression');
  });

  test.each<[string, Partial<Range>, string[], boolean]>([
    ['ends at its limit', { limit: 5 }, members.slice(0, 5), true],
    ['says that there are no more', { limit: 13 }, members, false],
    ['begins after a key', { limit: 3, after: at(member(4)) }, members.slice(5, 8), true],
    ['begins after an item that is gone', { after: at(`${member(4)}5`) }, members.slice(5), false],
    ['is empty after its last item', { after: at(member(11)) }, [], false],
    ['is empty in an empty partition', { partition: 'WS#2' }, [], false],
  ])('%s', async (_, range, found, more) => {
    expect(await ask(range)).toEqual({ found, more });
    expect(faults.calls).toHaveLength(1);
  });

  test('of an index has only the projected attributes, and no consistent read', async () => {
    const { items } = await request(() =>
      query({ index: 'by-member', partition: 'USER#1', prefix: 'MEMBER#', limit: 1 }),
    );
    const [first = ''] = members;
    expect(items).toEqual([
      { pk: 'WS#1', sk: first, by_member_pk: 'USER#1', by_member_sk: first, role: 'x' },
    ]);
    expect(faults.calls[0]?.body).not.toHaveProperty('ConsistentRead');
  });
});

// DynamoDB ends a page at 1 MB, wherever the limit is: here it does so after every second item.
const short = changed((body) => ({ ...body, Limit: Math.min(2, Number(body['Limit'] ?? 2)) }));
describe('pages that DynamoDB cuts short are continued', () => {
  test.each<[string, Partial<Range>, string[], boolean, number]>([
    ['to the end', {}, members, false, 7],
    ['to the limit', { limit: 5 }, members.slice(0, 5), true, 3],
    ['after a key', { limit: 4, after: at(member(7)) }, members.slice(8), true, 2],
  ])('%s', async (_, range, found, more, calls) => {
    faults.inject(short, { times: Infinity });
    expect(await ask(range)).toEqual({ found, more });
    expect(faults.calls).toHaveLength(calls);
  });
});

describe('items to skip', () => {
  test.each<[string, Partial<Range>, string[], boolean]>([
    ['are counted from the beginning', { skip: 5 }, members.slice(5), false],
    ['are counted after a key', { skip: 2, after: at(member(4)) }, members.slice(7), false],
    ['do not count towards the limit', { skip: 3, limit: 4 }, members.slice(3, 7), true],
    ['may be more than exist', { skip: 13 }, [], false],
  ])('%s', async (_, range, found, more) => {
    expect(await ask(range)).toEqual({ found, more });
    const [counted, ...read] = faults.calls.map(({ body }) => body);
    expect(counted).toMatchObject({ Select: 'COUNT', Limit: range.skip, ConsistentRead: true });
    for (const body of read) expect(body).not.toHaveProperty('Select');
  });

  test('are counted over short pages', async () => {
    faults.inject(short, { times: Infinity });
    expect(await ask({ skip: 5, limit: 3 })).toEqual({ found: members.slice(5, 8), more: true });
    const selected = faults.calls.map(({ body }) => body['Select']);
    expect(selected).toEqual(['COUNT', 'COUNT', 'COUNT', undefined, undefined]);
  });
});

test('items are returned newest first and with selected attributes, on request', async () => {
  const range = { partition: 'WS#1', prefix: 'MEMBER#', newestFirst: true, limit: 2 };
  const { items } = await request(() => query({ ...range, attributes: ['sk', 'role'] }));
  expect(items).toEqual([11, 10].map((i) => ({ sk: member(i), role: 'x' })));
});

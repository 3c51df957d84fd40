import { expect, test } from 'vitest';
import type { Api } from '../../../bench/http.ts';
import { mix } from '../../../bench/load-mix.ts';
import type { Person } from '../../../bench/load-people.ts';
import { demandOf } from '../../../bench/simulate/demand.ts';
import { requests, requestsOf } from '../../../bench/simulate/workload.ts';
import { zipfShares } from '../../../bench/simulate/zipf.ts';
import { routes } from '../../../shared/contract/api.ts';

/** The route of a call by its method and path, literal parts before parameters. */
function routeOf(method: string, path: string): string | undefined {
  const [plain = ''] = path.split('?');
  const fitting = routes.filter(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain),
  );
  return fitting.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]?.name;
}

/** A user whose requests are only recorded, and get the response that the step expects. */
function noting(calls: (string | undefined)[]): Person {
  const ids = { uid: 'u', guest: 'g', own: 'w', shared: 's', email: 'person-1@example.com' };
  const fields = { uid: 'u', owner_id: 'u', user_id: 'g', workspace_id: 'n', link_id: 'l' };
  let sent = {};
  const answer = () =>
    Object.assign([{ workspace_id: 'w' }], fields, { result: [{ uid: 'g' }, { uid: 'u' }] }, sent);
  const api = (async (method: string, path: string, body?: object) => {
    calls.push(routeOf(method, path));
    sent = body ?? sent;
    return answer();
  }) as unknown as Api;
  const send: Person['send'] = async ({ method, path }) => {
    calls.push(routeOf(method, path));
    return { status: 200, text: '{}' };
  };
  const tokens = { access_token: 'a', refresh_token: 'r' } as unknown as Person['tokens'];
  const apis = { anyone: api, me: api, backend: api };
  return { ...ids, ...apis, send, tokens, project_id: 'p' };
}

test.each(mix)('$name: has the requests of bench/load-mix.ts', async ({ name, run }) => {
  const calls: (string | undefined)[] = [];
  await run(noting(calls));
  expect(requestsOf[name]?.map(([operation]) => operation)).toEqual(calls);
});

test('the parts of all requests add up to 1', () => {
  expect(requests.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1);
});

test('every unit of a budget belongs to an item, a page or an index entry', () => {
  const { rounds } = demandOf('members.join', 'Basic, invited');
  expect(rounds[1]?.map(({ kind, write, index, indexWrite }) => [kind, write, index, indexWrite]))
    // Two of the 13 units are the index entries of the deleted invitation and of the new member.
    .toEqual([
      ['invitation', 4, 'by-member', 1],
      ['member', 2, 'by-member', 1],
      ['user', 2, 'by-email', 1],
      ['workspace', 2, undefined, 0],
    ]);
  for (const { demand } of requests) {
    const touches = demand.rounds.flat();
    const total = (of: (touch: (typeof touches)[number]) => number) =>
      touches.reduce((sum, touch) => sum + of(touch), 0);
    expect(total(({ read }) => read)).toBeCloseTo(demand.read);
    expect(total(({ write, indexWrite }) => write + indexWrite)).toBe(demand.write);
  }
});

test('a budget that does not match the sizes of its items is refused', () => {
  expect(() => demandOf('identities.signIn', 'Anyone, new user')).toThrow(
    '3 write units are not explained',
  );
  expect(() => demandOf('users.get', 'nobody')).toThrow('has no users.get: nobody');
});

test('a changed profile causes its event, its copies and their search terms', () => {
  const { records, groups, events } = requests.find(({ name }) => name === 'users.update') ?? {};
  // The user; five member items and a workspace, in the partitions of five workspaces.
  expect({ records, groups, events }).toEqual({ records: 7, groups: 6, events: 1 });
});

test.each([
  [3, 1, [6 / 11, 3 / 11, 2 / 11]],
  [2, 0, [1 / 2, 1 / 2]],
])('the shares of %i ranks with the exponent %i', (n, exponent, shares) => {
  for (const [i, share] of zipfShares(n, exponent, 10).entries())
    expect(share).toBeCloseTo(shares[i] ?? 0, 12);
});

test('the shares of very many ranks add up to 1', () => {
  const count = 1_000_000;
  for (const exponent of [0.5, 1]) {
    const all = zipfShares(count, exponent, count).reduce((sum, share) => sum + share, 0);
    expect(all).toBeCloseTo(1, 6);
  }
});

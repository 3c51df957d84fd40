import { expect, test } from 'vitest';
import { type Operation, routes } from '#shared/contract/api.ts';
import type { Route } from '#shared/contract/route.ts';
import { budgetCases } from '../support/budgets/cases.ts';
import { startWorld } from '../support/world.ts';

/** A POST that creates something with an address of its own says where it is (RFC 9110 section 9.3.3). */

const world = await startWorld();

const all: readonly Route[] = routes;
const creating = all.filter(({ method, statuses }) => method === 'POST' && statuses.includes(201));

/** The route that reads what another one creates: it shows the same, or is below its path. */
const readerOf = ({ path, response }: Route) =>
  all.find(
    (route) =>
      route.method === 'GET' &&
      route.etag &&
      route.path.includes('{') &&
      (route.response === response || /^\/\{\w+\}$/.test(route.path.replace(path, ''))),
  );

test('every route that creates what another one reads names its path', () => {
  for (const route of creating)
    expect([route.name, route.created]).toEqual([route.name, readerOf(route)?.path]);
  expect(creating.filter(({ created }) => created)).toHaveLength(7);
});

const cases = budgetCases(world);

test.each(creating.filter(({ created }) => created))(
  '$name: what it creates has a Location, what existed has none',
  async ({ name }) => {
    const statuses = new Set<number>();
    for (const prepare of Object.values(cases[name as Operation])) {
      const call = await prepare();
      const { status, headers, body } = await world.call(call);
      statuses.add(status);
      const location = headers.get('location');
      // Who is only invited is no member to read yet.
      expect(location !== null).toBe(status === 201 && body.status !== 'pending');
      if (location === null) continue;
      expect(location).toMatch(`${world.url}/`);
      const read = await world.call('GET', location.slice(world.url.length), call.auth);
      expect(read.status).toBe(200);
    }
    expect(statuses).toContain(201);
  },
);

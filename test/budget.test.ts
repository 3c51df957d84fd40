import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { routes } from '../shared/contract/api.ts';
import { lifetimes } from '../shared/limits.ts';
import { budgetCases, seedMembers } from './support/budget-cases.ts';
import { costTables } from './support/budget-table.ts';
import { backgroundBudgets, budgets, coldBudgets } from './support/budgets.ts';
import type { Call } from './support/call.ts';
import { type Cost, meter } from './support/meter.ts';
import { startWorld } from './support/world.ts';

const world = await startWorld();
const { dynamodb } = await import('#shared/table/client.ts');
const measure = meter(dynamodb, world.table.client);
const someone = await world.user();
const costOf = async (call: Call) => {
  const { result, cost } = await measure(() => world.call(call));
  expect(result.status, JSON.stringify(result.body)).toBeLessThan(300);
  return { cost, link: result.headers.get('link') };
};
/** After it the instance has the project and the keys in memory. */
const warmUp = () => world.call('GET', '/users/me', someone.bearer);

afterEach(() => {
  vi.useRealTimers();
});

describe.each(routes)('$name', ({ name, auth }) => {
  const cases: Record<string, () => Promise<Call>> = budgetCases(world)[name];

  test('has a budget for every kind of caller', () => {
    const callers = { project: 'Basic', access: 'Bearer', refresh: 'Refresh' };
    const expected = auth.length > 0 ? auth.map((scheme) => callers[scheme]) : ['Anyone'];
    const found = Object.keys(budgets[name]).map((label) => label.split(', ')[0]);
    expect(new Set(found)).toEqual(new Set(expected));
  });

  test.each(Object.entries<Cost>(budgets[name]))('%s: costs its budget', async (label, budget) => {
    const call = await cases[label]?.();
    await warmUp();
    expect(call && (await costOf(call)).cost).toEqual(budget);
  });
});

describe('an instance that must read the project and the keys again', () => {
  const later = (lifetimes.publicKeyCache + 1) * 1_000;

  test.each([
    [1, 'Bearer', 'users.getMe'],
    // By now the access token has expired, which a refresh accepts.
    [2, 'Refresh', 'sessions.refresh'],
    [3, 'Basic', 'users.get'],
  ] as const)('%i: %s: makes those calls before the others', async (times, caller, operation) => {
    const cases: Record<string, () => Promise<Call>> = budgetCases(world)[operation];
    const warm = (budgets[operation] as Record<string, Cost>)[caller];
    const call = await cases[caller]?.();
    await warmUp();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + times * later });
    const { cost } = (call && (await costOf(call))) ?? {};
    const first = coldBudgets[caller];
    expect(cost).toEqual({
      rounds: [...first.rounds, ...(warm?.rounds ?? [])],
      read: first.read + (warm?.read ?? 0),
      write: first.write + (warm?.write ?? 0),
    });
  });
});

describe('the stream function', () => {
  const costAfter = async (call: Call) => {
    await world.drainStream();
    await world.call(call);
    return (await measure(world.drainStream)).cost;
  };

  test('looks at a new copy for its budget', async () => {
    const { workspace_id } = await world.workspace();
    const body = { workspace_id, user_id: someone.uid };
    const call = { method: 'POST', path: '/workspaces/join', auth: world.project.basic, body };
    expect(await costAfter(call)).toEqual(backgroundBudgets['a new member or invitation']);
  });

  test('refreshes the copies of a profile for its budget', async () => {
    const person = await world.user();
    await world.workspace({ owner: person });
    for (let i = 0; i < 4; i += 1) await world.member(await world.workspace(), 'member', person);
    const body = { display_name: 'Ada' };
    const call = { method: 'PUT', path: `/users/${person.uid}`, auth: person.bearer, body };
    expect(await costAfter(call)).toEqual(
      backgroundBudgets['profile of a member of 4 workspaces and owner of 1'],
    );
  });

  test('removes what a deleted workspace leaves for its budget', async () => {
    const { workspace_id, owner } = await world.workspace();
    await seedMembers(world, { workspace_id, owner }, 50);
    const call = { method: 'DELETE', path: `/workspaces/${workspace_id}`, auth: owner.bearer };
    expect(await costAfter(call)).toEqual(
      backgroundBudgets['deletion of a workspace of 50 members'],
    );
  });
});

test('docs/table.md shows exactly these numbers', async () => {
  const text = await readFile(new URL('../docs/table.md', import.meta.url), 'utf8');
  expect(text, 'run: npm run costs').toContain(`<!-- costs -->\n${costTables()}\n<!-- /costs -->`);
});

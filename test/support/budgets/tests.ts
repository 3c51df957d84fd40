import { expect, test } from 'vitest';
import type { Cost } from '../meter.ts';
import { type Group, readBudgets } from './budgets.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The case of a test and its measured cost: `npm run costs -- --record` reads it from the report. */
    budget?: { group: Group; label: string; cost?: Cost };
  }
}

export const budgets = readBudgets();

/** Tests that each case costs exactly what test/budgets.json states, and that the file has no other case. */
export function testBudgets(group: Group, cases: Record<string, () => Promise<Cost>>): void {
  const recorded = budgets[group] ?? {};

  test('test/budgets.json has exactly these cases', () => {
    expect(Object.keys(recorded), 'run: npm run costs -- --record').toEqual(Object.keys(cases));
  });

  test.for(Object.entries(cases))('%s: costs its budget', async ([label, measure], { task }) => {
    task.meta.budget = { group, label };
    const cost = await measure();
    task.meta.budget = { group, label, cost };
    expect(cost, 'run: npm run costs -- --record, and read the diff').toEqual(recorded[label]);
  });
}

/** The cost of work before or after a part that was measured separately. */
export function costBeside(side: 'before' | 'after', part: Cost, whole: Cost): Cost {
  const between = side === 'before' ? whole.rounds.length - part.rounds.length : part.rounds.length;
  const halves = [whole.rounds.slice(0, between), whole.rounds.slice(between)];
  const [rounds = [], known] = side === 'before' ? halves : halves.toReversed();
  expect(known).toEqual(part.rounds);
  return { rounds, read: whole.read - part.read, write: whole.write - part.write };
}

/** The extra cost of work that makes the same round trips as `other` and, except in one of them, the same calls. */
export function costWithin(trip: number, other: Cost, whole: Cost): Cost {
  const calls = other.rounds[trip] ?? [];
  const more = whole.rounds[trip]?.filter((call) => !calls.includes(call)) ?? [];
  expect(whole.rounds).toEqual(other.rounds.with(trip, [...calls, ...more]));
  return { rounds: [more], read: whole.read - other.read, write: whole.write - other.write };
}

/** The cost of work measured twice, which must be equal. */
export function sameCost(first: Cost, second: Cost): Cost {
  expect(second).toEqual(first);
  return first;
}

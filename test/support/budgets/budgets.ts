import { readFileSync, writeFileSync } from 'node:fs';
import { routes } from '../../../shared/contract/api.ts';
import type { Cost } from '../meter.ts';

/** Costs by the name of an endpoint, or one of the groups below, and by case. */
export type Budgets = Record<string, Record<string, Cost>>;

/** Measured work other than endpoints. */
export const otherGroups = ['new instance', 'stream', 'webhook delivery', 'mail delivery'] as const;
export type Group = (typeof routes)[number]['name'] | (typeof otherGroups)[number];
export const groups: readonly Group[] = [...routes.map(({ name }) => name), ...otherGroups];

const file = new URL('../../budgets.json', import.meta.url);

/**
 * All costs, for items of the usual size. Endpoints are measured on a warm instance, which has cached its project and
 * keys. `npm run costs -- --record` measures and writes them; the tests only compare.
 */
export const readBudgets = (): Budgets => JSON.parse(readFileSync(file, 'utf8')) as Budgets;

/** Writes a line for each case, in the order of the tables of docs/evidence/table.md. */
export function writeBudgets(budgets: Budgets): void {
  const parts = groups.map((group) => {
    const lines = Object.entries(budgets[group] ?? {}).map(
      ([label, { read, write, rounds }]) =>
        `    ${JSON.stringify(label)}: ${JSON.stringify({ read, write, rounds })}`,
    );
    return `  ${JSON.stringify(group)}: {\n${lines.join(',\n')}\n  }`;
  });
  writeFileSync(file, `{\n${parts.join(',\n')}\n}\n`);
}

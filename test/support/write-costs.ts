/**
 * Writes the costs of test/budgets.json into docs/evidence/table.md, between its two markers.
 *
 *     npm run costs                  from the file as it is
 *     npm run costs -- --record      measures first, and writes what it measures into the file: review its diff
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Budgets, groups, readBudgets, writeBudgets } from './budgets/budgets.ts';
import { costTables } from './budgets/table.ts';

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
if (values.record) writeBudgets(await measureBudgets());
const file = new URL('../../docs/evidence/table.md', import.meta.url);
const text = await readFile(file, 'utf8');
const section = /(<!-- costs -->\n)[^]*(\n<!-- \/costs -->)/;
const tables = costTables(readBudgets());
await writeFile(
  file,
  text.replace(section, (_, open, close) => `${open}${tables}${close}`),
);

/** Runs the budget tests, which only compare, and reads the measured costs from their report. */
async function measureBudgets(): Promise<Budgets> {
  const { startVitest } = await import('vitest/node');
  const vitest = await startVitest('test', ['test/budget.test.ts', 'test/webhook-cost.test.ts'], {
    watch: false,
    // No output: a case whose cost has changed fails, as in any other run.
    reporters: [{}],
  });
  const measured: Budgets = {};
  const failed: string[] = [];
  for (const module of vitest.state.getTestModules()) {
    failed.push(...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`));
    for (const test of module.children.allTests()) {
      const { budget } = test.meta();
      if (!budget) continue;
      const { group, label, cost } = budget;
      if (cost) (measured[group] ??= {})[label] = cost;
      else failed.push(`${group}, ${label}: ${test.result().errors?.[0]?.message}`);
    }
  }
  await vitest.close();
  failed.push(...groups.filter((group) => !measured[group]).map((group) => `${group}: no case`));
  if (failed.length > 0) throw new Error(`Nothing is recorded.\n${failed.join('\n')}`);
  process.exitCode = 0;
  return measured;
}

/**
 * Prints the amount of test code by folder: `npm run figures` counts files and lines, `npm run figures -- REPORT` also
 * tests and seconds of a run (`npm test -- --reporter=json --outputFile=REPORT`).
 */
import { globSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

type Report = {
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    assertionResults: { status: string }[];
  }[];
};
type Row = { files: number; lines: number; tests: number; seconds: number };

const root = fileURLToPath(new URL('../../', import.meta.url));
const rows = new Map<string, Row>();

/** The folder of `test/` to which a file belongs; two levels if a folder has many. */
function rowOf(file: string): Row {
  const [, first = '', second = ''] = file.split(sep);
  const nested = ['functions', 'shared'].includes(first) && !second.includes('.');
  const folder = first.includes('.') ? '(test)' : nested ? `${first}/${second}` : first;
  const row = rows.get(folder) ?? { files: 0, lines: 0, tests: 0, seconds: 0 };
  rows.set(folder, row);
  return row;
}

for (const file of globSync('test/**/*.ts', { cwd: root })) {
  const row = rowOf(file);
  row.files += 1;
  row.lines += readFileSync(`${root}${file}`, 'utf8').split('\n').length - 1;
}
const [report] = process.argv.slice(2);
if (report !== undefined) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  for (const { name, startTime, endTime, assertionResults } of testResults) {
    const row = rowOf(relative(root, name));
    row.tests += assertionResults.filter(({ status }) => status === 'passed').length;
    row.seconds += (endTime - startTime) / 1_000;
  }
}
const total: Row = { files: 0, lines: 0, tests: 0, seconds: 0 };
const shown = (name: string, { files, lines, tests, seconds }: Row) =>
  console.log(`| ${name} | ${files} | ${lines} | ${tests} | ${seconds.toFixed(0)} |`);
console.log('| folder | files | lines | tests | seconds |\n|---|--:|--:|--:|--:|');
for (const [name, row] of [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  shown(name, row);
  for (const key of Object.keys(total) as (keyof Row)[]) total[key] += row[key];
}
shown('all', total);

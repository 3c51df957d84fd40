/**
 * Writes the costs of test/support/budgets.ts into docs/evidence/table.md, between its two marks.
 *
 *     npm run costs
 */
import { readFile, writeFile } from 'node:fs/promises';
import { costTables } from './budget-table.ts';

const file = new URL('../../docs/evidence/table.md', import.meta.url);
const text = await readFile(file, 'utf8');
const section = /(<!-- costs -->\n)[^]*(\n<!-- \/costs -->)/;
await writeFile(
  file,
  text.replace(section, (_, open, close) => `${open}${costTables()}${close}`),
);

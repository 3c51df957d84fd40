/**
 * Writes what each function could do if it were taken over into docs/evidence/security.md, between its two marks.
 *
 *     npm run takeover
 */
import { readFile, writeFile } from 'node:fs/promises';
import { takeoverTable } from './takeover-table.ts';

const file = new URL('../../docs/evidence/security.md', import.meta.url);
const text = await readFile(file, 'utf8');
const section = /(<!-- takeover -->\n)[^]*(\n<!-- \/takeover -->)/;
await writeFile(
  file,
  text.replace(section, (_, open, close) => `${open}${takeoverTable()}${close}`),
);

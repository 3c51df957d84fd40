/**
 * Writes what an attacker could do with each function into docs/evidence/security.md, between its two markers.
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** Operators skip versions: the steps of all of them are in one table, which names each version with a step. */
test('each version whose section of the CHANGELOG has a step is in the table of updates', () => {
  const sections = read('CHANGELOG.md')
    .split(/^## /m)
    .filter((section) => section.includes('**Upgrading**'))
    .map((section) => section.slice(0, section.indexOf('\n')));
  const [, updates = ''] = /^## Updates$(.*?)^## /ms.exec(read('docs/operate/deploy.md')) ?? [];
  const rows = [...updates.matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)].map(([, version]) => version);
  expect(sections.length).toBeGreaterThan(5);
  expect(rows).toEqual(expect.arrayContaining(sections));
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/evidence/openid.md');
const tests = globSync('test/openid/*.test.ts', { cwd: root }).map(read).join('\n');
const rows = [...page.matchAll(/^\| `(oidcc-[\w-]+)` \| ([a-z ]+) \|/gm)];

test('docs/evidence/openid.md lists exactly the tested modules as tested', () => {
  const names = [...tests.matchAll(/['"`](oidcc-[\w-]+)['"`]/g)].map(([, name = '']) => name);
  const tested = names.filter((name) => !name.endsWith('-test-plan'));
  const claimed = rows.filter(([, , here]) => here !== 'not applicable').map(([, name]) => name);
  expect(new Set(claimed)).toEqual(new Set(tested));
  expect(new Set(rows.map(([, name]) => name)).size).toBe(rows.length);
});

test('docs/evidence/openid.md gives a result for each module', () => {
  expect(new Set(rows.map(([, , here]) => here))).toEqual(
    new Set(['passes', 'skips', 'warns', 'not applicable']),
  );
});

test('docs/evidence/openid.md has the versions of the installed libraries', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const installed = { ...dependencies, ...devDependencies };
  const named = [...page.matchAll(/^\| \[([^\]]+)\]\([^)]+\) \| ([\d.]+) \|/gm)];
  expect(named).toHaveLength(3);
  for (const [, name = '', version] of named)
    expect([name, installed[name]]).toEqual([name, version]);
});

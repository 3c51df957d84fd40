import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modules } from './modules.ts';
import { survivors } from './survivors.ts';
import { unlisted } from './unmutated.ts';

/** Tests that `npm run mutate`, which takes hours, can start, and that everything in its lists exists. */

const root = join(import.meta.dirname, '../..');

test('every module of policy, access and roles is in a list, with existing tests', () => {
  expect(unlisted(root)).toEqual([]);
  const named = Object.entries(modules).flat(2);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every permitted surviving mutant is in an existing line', () => {
  const lines = new Map<string, Set<string>>();
  const linesOf = (file: string) => {
    const read = () =>
      new Set(
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .map((line) => line.trim()),
      );
    const known = lines.get(file) ?? read();
    lines.set(file, known);
    return known;
  };
  const stale = survivors.filter(
    ({ file, line, code }) => !linesOf(file).has(line) || !line.includes(code),
  );
  expect(stale.map(({ file, line, code }) => `${file}: ${line}: ${code}`)).toEqual([]);
});

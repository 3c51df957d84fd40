import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plant } from './plant.ts';
import { seededBugs } from './seeded-bugs.ts';

const root = new URL('../../', import.meta.url);

test.each(seededBugs)('$name: the code to be replaced exists once', (bug) => {
  const source = readFileSync(new URL(bug.file, root), 'utf8');
  expect(plant(source, bug)).not.toBe(source);
});

test('all names differ, and each bug names the rules that find it', () => {
  expect(new Set(seededBugs.map(({ name }) => name)).size).toBe(seededBugs.length);
  expect(seededBugs.filter(({ caughtBy }) => caughtBy.length === 0)).toEqual([]);
});

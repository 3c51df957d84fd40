import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plant } from './plant.ts';
import { teeth } from './seeded-bugs.ts';

const root = new URL('../../', import.meta.url);

test.each(teeth)('$name: there is such a guard, once', (tooth) => {
  const source = readFileSync(new URL(tooth.file, root), 'utf8');
  expect(plant(source, tooth)).not.toBe(source);
});

test('no two have one name, and each names the rules that find it', () => {
  expect(new Set(teeth.map(({ name }) => name)).size).toBe(teeth.length);
  expect(teeth.filter(({ caughtBy }) => caughtBy.length === 0)).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { usage } from '../../local/options.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guide/run-locally.md'), 'utf8');

test('docs/guide/run-locally.md names every flag of npm start, and no other', () => {
  const listed = [...page.matchAll(/^\| `(--[^`]+)` \|/gm)].map(([, flag]) => flag);
  const known = [...usage.matchAll(/^ {2}(--\w+(?: [A-Z]+)?)/gm)].map(([, flag]) => flag);
  expect(known.length).toBeGreaterThan(5);
  expect(new Set(listed)).toEqual(new Set(known));
});

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { blocksOf } from '../support/code-blocks.ts';

test('docs/guide/nextjs.md prints the files of examples/nextjs', () => {
  const blocks = blocksOf(readFileSync('docs/guide/nextjs.md', 'utf8'));
  const printed = new Map(blocks.map(({ title, text }) => [title, text]));
  const files = globSync('examples/nextjs/{*.ts,app/**/*.{ts,tsx}}')
    .map((path) => path.replace('examples/nextjs/', ''))
    // Next.js generates one. The other is for an example that is part of this repository.
    .filter((path) => !/^next(?:-env\.d|\.config)\.ts$/.test(path));
  expect(files.length).toBeGreaterThan(6);
  for (const path of files)
    expect(printed.get(path), path).toBe(readFileSync(`examples/nextjs/${path}`, 'utf8'));
});

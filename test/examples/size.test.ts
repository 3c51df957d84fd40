import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The lines that a reader reads before a signed-in user is on screen. */
const limit = 150;
const written = 'examples/*/{*,{app,src,public}/**/*}.{ts,tsx,js,html}';
const filesOf = (example: string) =>
  globSync(written)
    .filter((file) => file.startsWith(`examples/${example}/`))
    // Next.js generates this file.
    .filter((file) => !/next-env|\.next|node_modules|dist\//.test(file));
const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length;

test.each(['express', 'hono-lambda', 'nextjs', 'react-vite'])(
  `examples/%s has fewer than ${limit} lines`,
  (example) => {
    const files = filesOf(example);
    expect(files.length).toBeGreaterThan(2);
    const lines = files.map(linesOf);
    expect(lines.reduce((sum, each) => sum + each)).toBeLessThan(limit);
  },
);

test('there is no other example', () => {
  const found = globSync('examples/*/package.json').map((path) => path.split('/')[1]);
  expect(found).toHaveLength(4);
  expect(found).toEqual(expect.arrayContaining(['express', 'hono-lambda', 'nextjs', 'react-vite']));
});

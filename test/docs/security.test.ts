import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { grants } from '../../lib/functions.ts';
import { takeoverTable } from '../support/takeover-table.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'docs/evidence/security.md',
  'docs/evidence/asvs.md',
  'docs/evidence/reliability.md',
];

/** The tests that a page names: links to a file, whose text is the title. */
function named(page: string): { title: string; file: string }[] {
  const links = read(page).matchAll(/\[([^\]]+)\]\((?:\.\.\/)+(test\/[\w/.-]+\.test\.ts)\)/g);
  return [...links].map(([, title = '', file = '']) => ({ title, file }));
}

/** Whether a file has a test, or a group of them, by exactly this title. */
function has(file: string, title: string): boolean {
  if (!existsSync(join(root, file))) return false;
  const text = read(file);
  return ["'", '"', '`'].some((quote) => {
    const literal = `${quote}${title}${quote}`;
    for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1))
      if (/\(\s*$/.test(text.slice(0, at))) return true;
    return false;
  });
}

test.each(pages)('every test that %s names exists', (page) => {
  const tests = named(page);
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter(({ file, title }) => !has(file, title))).toEqual([]);
});

test.each(globSync(['README.md', '{config,docs}/**/*.md'], { cwd: root }))(
  'every source that %s names exists',
  (page) => {
    const files = read(page).matchAll(
      /`((?:bench|bin|client|console|functions|lib|local|pages|shared|test)\/[\w./-]+\.(?:js|tsx?))`/g,
    );
    expect(
      [...files].map(([, file = '']) => file).filter((file) => !existsSync(join(root, file))),
    ).toEqual([]);
  },
);

const readers = globSync(
  ['README.md', 'config/*.md', 'docs/{evidence,guide,operate,reference}/*.md'],
  { cwd: root },
);

test.each(readers)('every command that %s names is a script of package.json', (page) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...read(page).matchAll(/\bnpm run (?:-s )?([\w:-]*\w)/g)];
  expect(commands.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
});

test('docs/evidence/security.md lists the permissions of each function in lib/functions.ts', () => {
  const page = read('docs/evidence/security.md');
  const [, table = ''] = /<!-- takeover -->\n([^]*)\n<!-- \/takeover -->/.exec(page) ?? [];
  expect(table, 'run: npm run takeover').toBe(takeoverTable());
  const rows = [...table.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(grants));
});

/** How many requirements each section of OWASP ASVS 5.0.0 has, of every level. */
const sections = {
  ...{ '1.1': 2, '1.2': 10, '1.3': 12, '1.4': 3, '1.5': 3, '2.1': 3, '2.2': 3, '2.3': 5 },
  ...{ '2.4': 2, '3.1': 1, '3.2': 3, '3.3': 5, '3.4': 8, '3.5': 8, '3.6': 1, '3.7': 5 },
  ...{ '4.1': 5, '4.2': 5, '4.3': 2, '4.4': 4, '5.1': 1, '5.2': 6, '5.3': 3, '5.4': 3 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 8, '6.4': 6, '6.5': 8, '6.6': 4, '6.7': 2, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2, '8.1': 4, '8.2': 4 },
  ...{ '8.3': 3, '8.4': 2, '9.1': 3, '9.2': 4, '10.1': 2, '10.2': 3, '10.3': 5, '10.4': 16 },
  ...{ '10.5': 5, '10.6': 2, '10.7': 3, '11.1': 4, '11.2': 5, '11.3': 5, '11.4': 4 },
  ...{ '11.5': 2, '11.6': 2, '11.7': 2, '12.1': 5, '12.2': 2, '12.3': 5, '13.1': 4 },
  ...{ '13.2': 6, '13.3': 4, '13.4': 7, '14.1': 2, '14.2': 8, '14.3': 3, '15.1': 5 },
  ...{ '15.2': 5, '15.3': 7, '15.4': 4, '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3 },
  ...{ '16.5': 4, '17.1': 2, '17.2': 8, '17.3': 2 },
};

test('docs/evidence/asvs.md answers each of the 345 requirements once, and counts the answers', () => {
  const page = read('docs/evidence/asvs.md');
  const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([123]) \| [^|]+ \| ([\w/ ]+) \| /gm)];
  const all = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, i) => `${section}.${i + 1}`),
  );
  expect(all).toHaveLength(345);
  expect(rows.map(([, number]) => number)).toEqual(all);
  const counted = (level: string, answer: string) =>
    rows.filter(([, , of, given]) => of === level && given === answer).length;
  const answers = ['test', 'built', 'partly', 'not met', 'n/a'];
  const summary = ['1', '2', '3'].map((level) => {
    const cells = answers.map((answer) => counted(level, answer));
    return `| ${[level, ...cells, cells.reduce((sum, each) => sum + each, 0)].join(' | ')} |`;
  });
  expect(rows.filter(([, , , answer = '']) => !answers.includes(answer))).toEqual([]);
  for (const line of summary) expect(page).toContain(line);
  // A requirement that a test covers names that test.
  const unnamed = page
    .split('\n')
    .filter(
      (line) => /^\| \d/.test(line) && line.includes(' | test | ') && !line.includes('.test.ts)'),
    );
  expect(unnamed).toEqual([]);
});

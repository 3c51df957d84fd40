import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const sources = tracked.filter((file) => !file.startsWith('test/'));

/** Private words that are banned from names, with their replacements. */
const banned: Record<string, string> = {
  defuse: 'neutralise',
  effect: 'change',
  endings: 'deletions',
  flaw: 'problem',
  flaws: 'problems',
  followers: 'consumers',
  handed: 'of the inviter',
  held: 'expected, locked',
  hindrance: 'conflict',
  hold: 'expect, lock',
  inviting: 'invite',
  longest: 'max',
  lot: 'batch',
  lots: 'batches',
  mend: 'fix',
  met: 'found',
  most: 'max',
  opening: 'origin',
  sealing: 'encryption',
  sweep: 'reset, delete expired',
  tally: 'increment',
  teeth: 'seeded bugs',
  tell: 'output, record',
  telling: 'with events',
  tells: 'detail',
  told: 'recorded',
  turn: 'step',
  whoever: 'the user, the caller',
  whose: 'target user',
};

const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
const exported = /export (?:abstract )?(?:async )?(?:const|function|class|type)\*? (\w+)/g;

test.each(sources)('%s has the standard words of the field in its name and exports', (file) => {
  const names = [...readFileSync(join(root, file), 'utf8').matchAll(exported)].map(
    ([, name = '']) => name,
  );
  const found = [basename(file, '.ts'), ...names].flatMap((name) =>
    wordsOf(name).flatMap((word) => (banned[word] ? [`${name}: say ${banned[word]}`] : [])),
  );
  expect(found).toEqual([]);
});

/**
 * Private words where the field has a standard one, in texts for customers: "valid" and not "good", "notify" and not
 * "tell".
 */
const coined =
  /\b(?:whoever|whomever|of whom|told|mend(?:s|ed)?|lots|sweeps?|back end|ways? in|flaws?|hindrances?|teeth|(?:is|are) good|on the spot)\b/gi;

test.each([
  ...['README.md', 'client/README.md', 'config/README.md', 'docs/glossary.md'],
  ...globSync('docs/{guide,operate,reference}/*.md', { cwd: root }),
])('%s has the standard words of the field', (page) => {
  const prose = readFileSync(join(root, page), 'utf8').replaceAll(
    /^ *```[^]*?^ *```$|`[^`]*`/gm,
    '',
  );
  expect(prose.match(coined) ?? []).toEqual([]);
});

test('the titles of tests, which the evidence quotes, have the words of the field', () => {
  const titled = /^\s*(?:\]\)|test|describe)[^'"`\n]*\(\s*(['"`])(.+?)\1,/gm;
  const titles = tracked
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(titled)])
    .map(([, , title = '']) => title);
  expect(titles.length).toBeGreaterThan(4_000);
  expect(titles.filter((title) => title.match(coined))).toEqual([]);
});

describe('the glossary', () => {
  const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| **'));

  test.each(rows)('%s', (row) => {
    const place = /`([^`]+)` \|$/.exec(row)?.[1] ?? '';
    expect(existsSync(join(root, place))).toBe(true);
  });
});

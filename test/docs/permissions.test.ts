import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { policy, standings } from '../../shared/model/policy.ts';

test('docs/reference/permissions.md equals the permission table, cell by cell', () => {
  const page = readFileSync(
    new URL('../../docs/reference/permissions.md', import.meta.url),
    'utf8',
  );
  const rows = page.split('\n').filter((line) => /^\| [a-z-]+:[a-z-]+ \|/.test(line));
  const shown = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const decided = Object.entries(policy).map(([action, verdicts]) => [
    action,
    ...standings.map((standing) => verdicts[standing]),
  ]);
  expect(shown).toEqual(decided);
});

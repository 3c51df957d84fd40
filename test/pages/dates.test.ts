import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

test('the pages write the first of a month in French as an ordinal number', async () => {
  vi.stubGlobal('location', new URL('http://localhost/pages/demo/account'));
  vi.stubGlobal('history', { state: null });
  vi.stubGlobal('navigator', { languages: ['fr-CH'] });
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('localStorage', { getItem: () => null });
  // By a path that the compiler does not follow: it knows no browser here.
  const path = join(import.meta.dirname, '../../pages/texts.ts');
  const { loadTexts, day, date, dateAndTime } = (await import(path)) as Record<
    string,
    (iso?: string) => unknown
  >;
  await loadTexts?.();
  expect(day?.('2026-03-01')).toBe('1er mars 2026');
  const noon = new Date(2026, 2, 1, 12).toISOString();
  expect(date?.(noon)).toBe('1er mars 2026');
  expect(dateAndTime?.(noon)).toMatch(/^1er mars 2026\b/);
});

import { expect, test } from 'vitest';
import { languageNamed, preferredLanguage, timeInWords } from '#shared/model/languages.ts';

test.each([
  ['de', 'de'],
  ['de-CH, it;q=0.9', 'de'],
  ['DE-at', 'de'],
  ['it, de;q=0.5, en;q=0.8', 'en'],
  ['en;q=0, de;q=0.001', 'de'],
  ['de;q=0.7, en;q=0.7', 'de'],
  ['it-IT,it;q=0.9', undefined],
  ['*', undefined],
  ['', undefined],
  ['deu', undefined],
  ['fr-CA, en;q=0.5', 'fr'],
  ['es-419,es;q=0.9', 'es'],
  ['de;q=0', undefined],
  [`${'it,'.repeat(20)}de`, undefined],
  [`${';,='.repeat(3_000)}de`, undefined],
])('%j prefers %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

test('a language without texts falls back to English', () => {
  expect(['de', 'en', 'it', undefined].map(languageNamed)).toEqual(['de', 'en', 'en', 'en']);
});

test.each([
  ['fr', 1, '1er mars 2026'],
  ['fr-CA', 1, '1er mars 2026'],
  ['fr', 11, '11 mars 2026'],
  ['es', 1, '1 mar 2026'],
])('the words of %s for day %i of March are %s', (tag, day, words) => {
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  expect(timeInWords(new Date(Date.UTC(2026, 2, day)), tag, options)).toBe(words);
});

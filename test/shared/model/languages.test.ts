import { expect, test } from 'vitest';
import { languageNamed, preferredLanguage } from '#shared/model/languages.ts';

test.each([
  ['de', 'de'],
  ['de-CH, fr;q=0.9', 'de'],
  ['DE-at', 'de'],
  ['fr, de;q=0.5, en;q=0.8', 'en'],
  ['en;q=0, de;q=0.001', 'de'],
  ['de;q=0.7, en;q=0.7', 'de'],
  ['fr-FR,fr;q=0.9', undefined],
  ['*', undefined],
  ['', undefined],
  ['deu', undefined],
  ['de;q=0', undefined],
  [`${'fr,'.repeat(20)}de`, undefined],
  [`${';,='.repeat(3_000)}de`, undefined],
])('%j prefers %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

test('a language without texts falls back to English', () => {
  expect(['de', 'en', 'fr', undefined].map(languageNamed)).toEqual(['de', 'en', 'en', 'en']);
});

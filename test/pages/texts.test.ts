import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '#shared/model/languages.ts';
import { type Action, isGrantable, policy } from '#shared/model/policy.ts';

const folder = join(import.meta.dirname, '../../pages');
const read = (file: string) =>
  JSON.parse(readFileSync(join(folder, 'texts', file), 'utf8')) as Record<string, string>;
/** The texts of a part of a page are in separate files: `passkeys-de.json`. */
const englishOf = (file: string) => read(file.replace(/\w+\.json$/, 'en.json'));
const catalogues = globSync('*.json', { cwd: join(folder, 'texts') });
const sources = globSync('**/*.{ts,tsx}', { cwd: folder }).map((file) =>
  readFileSync(join(folder, file), 'utf8'),
);
const code = sources.join('\n');
const placeholders = (text: string | undefined) =>
  [...(text ?? '').matchAll(/\{\w+\}/g)].map(String).sort();

describe.each(catalogues)('%s', (file) => {
  const texts = read(file);
  const english = englishOf(file);
  const language = /(\w+)\.json$/.exec(file)?.[1];

  test('has every text of the English file, in the same order, and none is empty', () => {
    // A language may have more plural forms than English.
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const isForm = (key: string) => forms.some((form) => key.endsWith(`_${form}`));
    const plain = (keys: string[]) =>
      keys.filter((key) => !isForm(key) && !/_(?:one|other)$/.test(key));
    expect(plain(Object.keys(texts))).toEqual(plain(Object.keys(english)));
    for (const key of Object.keys(english).filter((each) => each.endsWith('_other')))
      for (const form of forms) expect(texts, key).toHaveProperty(key.replace(/other$/, form));
    expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([]);
  });

  test('has the same placeholders as the English file', () => {
    for (const [key, text] of Object.entries(texts))
      expect(placeholders(text), key).toEqual(
        placeholders(english[key] ?? english[key.replace(/_\w+$/, '_other')]),
      );
  });

  // A plain space could end the line: U+202F or U+00A0 cannot.
  test.skipIf(language !== 'fr')('has no plain space beside the punctuation of French', () => {
    for (const text of Object.values(texts)) expect(text).not.toMatch(/ [:;?!»]|« /);
  });

  test('is loaded by a page', () => {
    expect(code).toContain(`/${file.replace(/\w+\.json$/, '${name}.json')}\``);
  });
});

test('every language has every catalogue', () => {
  const parts = catalogues.map((file) => file.replace(/\w+\.json$/, ''));
  const all = [...new Set(parts)].flatMap((part) => languages.map((each) => `${part}${each}.json`));
  expect(catalogues.toSorted()).toEqual(all.toSorted());
});

test('no text is unused', () => {
  const used = (key: string) => {
    const stem = key.replace(/_(?:one|other)$/, '');
    // Keys with a dot are looked up by an error code of the service.
    const dynamic = /^(?:error|event|method|outcome|actor|mode|permission)\./.exec(key)?.[0];
    return (
      code.includes(`'${stem}'`) ||
      code.includes(`"${stem}"`) ||
      (dynamic !== undefined && code.includes(`\`${dynamic}\${`)) ||
      code.includes(`'${key}'`)
    );
  };
  const roles = ['admin', 'member'];
  const english = catalogues.filter((file) => file.endsWith('en.json')).map(read);
  expect(english).toHaveLength(16);
  const keys = english.flatMap((texts) => Object.keys(texts));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !used(key) && !roles.includes(key))).toEqual([]);
});

test('the permissions that a role or key can have are described', () => {
  const grantable = (Object.keys(policy) as Action[]).filter(
    (action) => isGrantable(action) && policy[action].owner === 'allow',
  );
  const described = Object.keys(read('permissions-en.json'));
  expect(described).toEqual(grantable.map((each) => `permission.${each}`).toSorted());
});

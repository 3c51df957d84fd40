import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pageNames } from '#shared/contract/pages.ts';
import { languages } from '#shared/model/languages.ts';
import { captchaFile, hostedPages, shellFile } from '../../lib/hosted-pages.ts';

const { files } = await hostedPages();
const contentOf = (file: string) => files.get(file) ?? '';
const named = (name: string) =>
  [...files.keys()].find((file) => new RegExp(`^${name}\\.\\w{8}\\.`).test(file)) ?? '';

const folder = join(import.meta.dirname, '../../pages');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
/** The catalogue that each function loads, by its name: `loadRoleTexts`. */
const catalogues = new Map(
  ['texts.ts', ...globSync('texts/*.ts', { cwd: folder })].flatMap((file) =>
    [...read(file).matchAll(/const (load\w+Texts)\b[^`]*`[^`]*\/([a-z-]+)-\$\{name\}/g)].map(
      ([, name, catalogue]) => [name, catalogue] as const,
    ),
  ),
);
/** The catalogues that the view of a page loads before it is shown. */
function cataloguesOf(page: string) {
  const [, loads = ''] = /^ {2}loadTexts: (.*),$/m.exec(read(`views/${page}.tsx`)) ?? [];
  return [...loads.matchAll(/load\w+Texts/g)].map(([name]) => catalogues.get(name) ?? name);
}

/** Files with all their imports. A page loads its own file and its language by name, so both must be passed. */
function withImports(start: readonly string[]): Set<string> {
  const all = new Set(start);
  // The set grows during the iteration; each file is visited once.
  for (const file of all)
    for (const [, imported] of contentOf(file).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      all.add(imported ?? '');
  return all;
}

const kilobytes = (file: string) => gzipSync(contentOf(file), { level: 9 }).length / 1_024;

/** The size of a sign-in page for a slow phone: less than one photo. */
const limit = 30;

describe.each(pageNames)('%s', (page) => {
  test.each(languages)(`loads at most ${limit} KB in %s: HTML, style and scripts`, (language) => {
    const texts = ['common', ...cataloguesOf(page)].map((each) => named(`${each}-${language}`));
    const scripts = withImports([named('main'), named(page), ...texts]);
    expect([...scripts].filter((file) => !files.has(file))).toEqual([]);
    // The page itself, main, its language, and their shared chunks.
    expect(scripts.size).toBeGreaterThan(4);
    const sizes = [...scripts, named('style'), shellFile].map(kilobytes);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(limit);
  });
});

test('there are no files but the pages, the languages, and their shared parts', () => {
  const own = [...files.keys()].map((file) => file.split('.')[0] ?? '');
  // Parts of the account page, of the members page and of the sign-in that load later.
  const texts = languages.flatMap((each) => [
    `account-${each}`,
    `captcha-${each}`,
    `common-${each}`,
    `passkeys-${each}`,
    `api-keys-${each}`,
    `factors-${each}`,
    `manage-${each}`,
    `joining-${each}`,
    `links-${each}`,
    `mailed-${each}`,
    `members-${each}`,
    `passwords-${each}`,
    `permissions-${each}`,
    `roles-${each}`,
    `sign-out-${each}`,
    `workspaces-${each}`,
  ]);
  const parts = [
    'focus',
    'sessions',
    'sign-in-methods',
    'second-factor',
    'code-form',
    'link-form',
    'mfa-form',
    'passkey-button',
    'mfa-enrolment',
    'ask-again',
    // The captcha dialog, and the document framed in it.
    'captcha',
    'captcha-frame',
    'own-keys',
    'enter-by-provider',
    'manage',
    ...texts,
  ];
  const known = ['main', 'style', 'chunk', 'page', ...parts, ...pageNames];
  expect(own.filter((name) => !known.includes(name))).toEqual([]);
});

describe('the files', () => {
  const scripts = [...files].filter(([file]) => file.endsWith('.js'));

  const addressesIn = (file: string) =>
    contentOf(file).match(/(?:https?:)?\/\/[\w-]+(?:\.[\w-]+)+/g) ?? [];

  test.each([...files.keys()].filter((file) => file !== named('captcha-frame')))(
    '%s contains no address of another host',
    (file) => {
      // The names of XML namespaces are never requested.
      expect(addressesIn(file).filter((each) => each !== 'http://www.w3.org')).toEqual([]);
    },
  );

  test("only the document of the captcha knows the addresses of the providers' scripts, and no page imports it", () => {
    expect(addressesIn(named('captcha-frame'))).toEqual([
      'https://challenges.cloudflare.com',
      'https://js.hcaptcha.com',
      'https://www.google.com',
    ]);
    const importing = [...files].filter(([, text]) => text.includes(named('captcha-frame')));
    expect(importing.map(([file]) => file)).toEqual([captchaFile]);
  });

  test.each(scripts)('%s does not evaluate text as code, and does not use cookies', (_, script) => {
    expect(script).not.toMatch(/\beval\(|new Function|document\.write|document\.cookie/);
  });

  test('only Preact sets innerHTML, and no component uses dangerouslySetInnerHTML', () => {
    const setting = scripts.filter(([, script]) => /innerHTML|insertAdjacentHTML/i.test(script));
    expect(setting).toHaveLength(1);
    // Every other script is built from our sources, or uses the word as the name of a component's property.
    expect(scripts.filter(([, script]) => /dangerouslySetInnerHTML["']?:/.test(script))).toEqual(
      [],
    );
  });

  test('the style sheet loads nothing', () => {
    const addresses = [...contentOf(named('style')).matchAll(/url\(([^)]{0,12})|@import/g)];
    expect(addresses.filter(([, url]) => !/^"?data:/.test(url ?? ''))).toEqual([]);
  });
});

test('each file name has a hash of the content', () => {
  for (const file of files.keys())
    expect(file).toMatch(/^(?:[a-z-]+\.[A-Z0-9]{8}\.(?:js|css)|(?:page|captcha)\.html)$/);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { captchaFrameHeaders } from '#shared/captcha/frame-policy.ts';
import { captchaProviders } from '#shared/model/captcha-providers.ts';

/** The sources that the guide lets a page allow equal those of our own document. */
const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/captcha.md'), 'utf8');

/** The directives in a row of the table, with their sources. */
function inGuide(provider: string) {
  const row = new RegExp(`^\\| \`${provider}\` \\|(.*)\\|$`, 'm').exec(guide)?.[1] ?? '';
  const [scripts = '', frames = '', more = ''] = row
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''));
  const same = (cell: string) => (cell === 'the same' ? scripts : cell);
  const others: Record<string, string> = more.includes('the same')
    ? Object.fromEntries((more.match(/[a-z]+-src/g) ?? []).map((name) => [name, scripts]))
    : Object.fromEntries(more === '' ? [] : [more.split(/ (.*)/)]);
  return { 'script-src': scripts, 'frame-src': same(frames), ...others };
}

test.each(captchaProviders)('%s', (provider) => {
  const policy = captchaFrameHeaders({
    ...{ provider, site_key: 'KEY', rule: 'always', hostnames: ['www.example.com'] },
  })['content-security-policy'];
  const ours = Object.fromEntries((policy ?? '').split('; ').map((each) => each.split(/ (.*)/)));
  for (const [directive, sources] of Object.entries(inGuide(provider)))
    expect(ours[directive]?.split(' '), directive).toEqual(
      expect.arrayContaining(sources.split(' ')),
    );
  // Conversely, no source of another host is missing in the guide.
  const hosts = (text: string) => [...new Set(text.match(/https:[^\s;]+/g) ?? [])].sort();
  const named = inGuide(provider);
  expect(hosts(Object.values(named).join(' '))).toEqual(hosts(policy ?? ''));
});

test('the Trusted Types policy has the name in the guide', () => {
  const code = readFileSync(join(import.meta.dirname, '../../client/captcha/widget.ts'), 'utf8');
  const [, name = ''] = /createPolicy\('([\w-]+)'/.exec(code) ?? [];
  expect(guide).toContain(`the policy name \`${name}\``);
});

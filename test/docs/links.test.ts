import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'client/*.md', 'config/*.md', 'examples/*/*.md'], {
  cwd: root,
});
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors that a page's headings have on GitHub. */
function anchorsOf(page: string): Set<string> {
  const text = read(page).replaceAll(/^```[^]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, path = '', anchor]) => {
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** The web pages that ours link to. Tests do not access the internet: open a page before you add it here. */
const outside = [
  'https://github.com/OWASP/ASVS/tree/v5.0.0/5.0/en',
  'https://github.com/authts/oidc-client-ts',
  'https://github.com/nextauthjs/next-auth',
  'https://github.com/panva/openid-client',
  'https://www.standardwebhooks.com',
];

test('every external link is in the list, and each in the list is used', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((https?:[^)\s]*)\)/g)].map(([, link = '']) => link),
  );
  expect([...new Set(links)].sort()).toEqual(outside);
  for (const link of outside)
    expect(new URL(link)).toMatchObject({ protocol: 'https:', search: '' });
});

test('every other address in a page is reserved or a placeholder', () => {
  const addresses = pages.flatMap((page) =>
    [...read(page).matchAll(/https?:\/\/[^\s)>"'`|,;]*/g)].map(([address]) => address),
  );
  const reserved =
    /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|(?:[\w-]+\.)*example(?:\.com|\.invalid)?|example\.invalid|(?:[\w-]+@)?\w+\.example)(?:[:/?#…].*)?$/;
  const placeholder = /[A-Z]{4,}|\$|<your/;
  // The namespace of SVG, and addresses that the service rejects.
  const named = [
    'http://www.w3.org/2000/svg',
    'https://bank.example@evil.example',
    'https://.com',
    'https://co.uk/',
    // Sources that the policy of a page with a captcha must allow. test/docs/captcha-policy.test.ts compares them with
    // ours.
    'https://challenges.cloudflare.com',
    'https://hcaptcha.com',
    'https://*.hcaptcha.com',
    'https://www.google.com/recaptcha/',
    'https://www.gstatic.com/recaptcha/',
    'https://recaptcha.google.com/recaptcha/',
  ];
  const unknown = addresses.filter(
    (address) =>
      ![...outside, ...named].includes(address.replace(/[.:]$/, '')) &&
      !reserved.test(address.replace(/\.$/, '')) &&
      !placeholder.test(address),
  );
  expect(unknown).toEqual([]);
});

test('the README has at most 130 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(130);
});

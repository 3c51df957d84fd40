import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { toProblem } from '#shared/http/problem.ts';
import { type ErrorCode, errorCodes } from '#shared/model/error-codes.ts';
import { ApiError } from '#shared/model/errors.ts';
import { problemMembers } from '#shared/model/problem-members.ts';
import { errorsReference } from '../../bin/reference/errors-reference.ts';
import { get } from '../functions/docs/serve.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];
vi.stubEnv('BASE_URL', 'https://id.example.com');

/** The `type` of an error in the response. */
function typeOf(code: ErrorCode): URL {
  const request = { id: 'x', route: { auth: [] }, authorization: undefined };
  const { type } = JSON.parse(toProblem(new ApiError(code), request).body) as { type: string };
  return new URL(type);
}

test('the type of every error links to its section, with cause and remedy', async () => {
  const page = await get('/docs/errors');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  for (const code of codes) {
    const { origin, pathname, hash } = typeOf(code);
    expect([origin, pathname, hash]).toEqual([
      'https://id.example.com',
      '/docs/errors',
      `#${code}`,
    ]);
    const section = new RegExp(`<section id="${hash.slice(1)}">([^]*?)</section>`).exec(html)?.[1];
    expect(section, code).toContain(`${errorCodes[code].status} <code>${code}</code>`);
    const [, cause = '', remedy = ''] =
      /<b>Cause:<\/b> (.+)<\/p>\s*<p><b>Remedy:<\/b> (.+)<\/p>/.exec(section ?? '') ?? [];
    for (const shown of [cause, remedy])
      expect(shown.replaceAll(/<[^>]+>/g, ''), code).toMatch(/^\w.{10,}\.$/);
  }
  expect(html.match(/<section /g)).toHaveLength(codes.length);
});

test('the page runs no script and loads nothing, and its links work', async () => {
  const page = await get('/docs/errors');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; .*frame-ancestors 'none'$/,
  );
  const html = await page.text();
  expect(html).not.toMatch(/<script|\ssrc=|url\(|`/);
  const links = [...html.matchAll(/href="([^"#]+)"/g)].map(([, link = '']) => link);
  expect(links).toEqual(['data:,', '../docs']);
  const { pathname } = new URL('../docs', 'https://id.example.com/docs/errors');
  expect((await get(pathname)).status).toBe(200);
});

test('docs/reference/errors.md has the same causes and remedies, with an example of each', async () => {
  const file = new URL('../../docs/reference/errors.md', import.meta.url);
  const text = await readFile(file, 'utf8');
  expect(text, 'run: npm run openapi').toBe(errorsReference());
  const shown = [...text.matchAll(/^```json\n([^]*?)^```$/gm)].map(
    ([, json = '']) => JSON.parse(json) as object,
  );
  expect(shown).toEqual(
    codes.map((code) => expect.objectContaining({ code, ...errorCodes[code] }) as object),
  );
  // The example of a code contains the members that the code adds, as the table lists them.
  for (const [code, { schema, example }] of Object.entries(problemMembers)) {
    expect(schema.strict().parse(example)).toEqual(example);
    for (const name of Object.keys(schema.shape))
      expect(text.split(`\n## ${code}\n`)[1]?.split('\n## ')[0]).toContain(`\n- \`${name}\`: `);
    expect(shown.find((each) => 'code' in each && each.code === code)).toMatchObject(example);
  }
});
